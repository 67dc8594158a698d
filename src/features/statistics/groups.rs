//! `--by`: the groups that tool uses and turns are counted in.

use crate::call::ToolUse;
use crate::document::{Document, Message, Messages};

/// A kind of group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// Tools
    #[default]
    Tool,
    /// Conversations; several of one file are numbered
    Conversation,
    /// Roles of a message log: user, assistant, system, sub-agent
    Role,
    /// Models that a message log names
    Model,
}

impl GroupBy {
    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Conversation => "conversation",
            Self::Role => "role",
            Self::Model => "model",
        }
    }

    /// True if messages are grouped, not tools.
    pub fn needs_turns(self) -> bool {
        self != Self::Tool
    }

    /// The group of a tool use of `document`: its tool, or the group of the turn that contains it.
    pub fn of_use(self, document: &Document, tool_use: &ToolUse) -> Option<String> {
        if self == Self::Tool {
            return tool_use.name.clone();
        }
        match document.messages().message_of(tool_use) {
            Some(turn) => self.of_turn(document.messages(), turn),
            // A tool use outside of messages belongs to the conversation of the document itself.
            None => (self == Self::Conversation).then(String::new),
        }
    }

    /// The groups of all turns of `document`; none if tools are grouped.
    pub fn of_turns(self, document: &Document) -> impl Iterator<Item = Option<String>> {
        let messages = self.needs_turns().then(|| document.messages());
        messages
            .into_iter()
            .flat_map(move |messages| messages.first_parts().map(move |turn| self.of_turn(messages, turn)))
    }

    /// The group of a turn. A conversation is numbered if there are several; its file is added
    /// later.
    fn of_turn(self, messages: &Messages, turn: &Message) -> Option<String> {
        match self {
            Self::Tool => None,
            Self::Conversation => {
                let number = messages.conversation_of(turn);
                Some(number.map(|number| format!("#{number}")).unwrap_or_default())
            }
            Self::Role if turn.attribution().agent.is_some() => Some("sub-agent".to_owned()),
            Self::Role => Some(turn.role_name().to_lowercase()),
            Self::Model => turn.attribution().model.as_ref().map(ToString::to_string),
        }
    }
}

/// The name of a group of the document `file` among the groups of all documents.
pub fn name_in_all(by: GroupBy, name: Option<String>, file: &str) -> Option<String> {
    match by {
        GroupBy::Conversation => name.map(|number| format!("{file}{number}")),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::document::Language;
    use crate::text::Text;

    /// Checks the groups of the turns and of the tool uses.
    #[track_caller]
    fn check(text: &str, language: Language, by: GroupBy, turns: &[&str], uses: &[&str]) {
        let document = Document::new(Text::new(text), language, Arc::default());
        let name = |group: Option<String>| group.unwrap_or_else(|| "-".to_owned());
        assert_eq!(by.of_turns(&document).map(name).collect::<Vec<_>>(), turns, "turns of\n{text}");
        let found: Vec<_> =
            document.tool_uses().iter().map(|found| name(by.of_use(&document, found))).collect();
        assert_eq!(found, uses, "tool uses of\n{text}");
    }

    #[test]
    fn messages_of_others_do_not_divide_a_turn() {
        let record = |agent: &str, model: &str, id: &str| {
            format!(
                r#"{{"isSidechain": true, "agentId": "{agent}", "type": "assistant", "message": {{"role": "assistant"{model}, "content": [{{"type": "tool_use", "id": "{id}", "name": "f", "input": {{}}}}]}}}}"#
            )
        };
        let model = r#", "model": "m""#;
        let records = [("a", ""), ("b", model), ("a", model), ("b", model)];
        let lines =
            records.iter().zip(["1", "2", "3", "4"]).map(|((agent, model), id)| record(agent, model, id));
        let text = lines.collect::<Vec<_>>().join("\n");
        for (by, turns, uses) in [
            (GroupBy::Conversation, ["#1", "#2"], ["#1", "#2", "#1", "#2"]),
            (GroupBy::Model, ["m"; 2], ["m"; 4]),
            (GroupBy::Role, ["sub-agent"; 2], ["sub-agent"; 4]),
        ] {
            check(&text, Language::Log, by, &turns, &uses);
        }
    }

    #[test]
    fn calls_around_a_fence_are_in_none_of_its_turns() {
        let text = concat!(
            "```json\n[{\"role\": \"assistant\", \"model\": \"m\", \"content\": [{\"type\": \"tool_use\", \"id\": \"a\", ",
            "\"name\": \"f\", \"input\": {}}]},\n {\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", ",
            "\"tool_use_id\": \"a\", \"content\": \"1\"}]}]\n```\n\n",
            "```tool\n{\"toolName\": \"g\", \"output\": 1}\n```\n"
        );
        check(text, Language::Markdown, GroupBy::Model, &["m"], &["m", "-"]);
        check(text, Language::Markdown, GroupBy::Role, &["assistant"], &["assistant", "-"]);
        check(text, Language::Markdown, GroupBy::Conversation, &[""], &["", ""]);
    }

    #[test]
    fn messages_of_markdown_are_turns() {
        let call = |id: &str| format!("```tool\n{{\"toolCallId\": \"{id}\", \"toolName\": \"f\"}}\n```\n\n");
        let fence = concat!(
            "```json\n[{\"role\": \"assistant\", \"content\": [{\"type\": \"tool_use\", \"id\": \"a\", ",
            "\"name\": \"f\", \"input\": {}}]},\n {\"role\": \"user\", \"content\": \"q\"}]\n```\n\n"
        );
        let text = [
            &*call("a"),
            "**User:** q\n\n_**Agent (m 10:00)**_\n\n",
            fence,
            &call("b"),
            "_**Agent (m 10:01)**_\n\n",
            &call("c"),
            "**User:** r\n",
        ]
        .concat();
        // The messages in the fence are turns of their own.
        let turns = ["user", "assistant", "user", "assistant", "user"];
        let uses = ["-", "assistant", "assistant", "assistant"];
        check(&text, Language::Markdown, GroupBy::Role, &turns, &uses);
        check(&text, Language::Markdown, GroupBy::Conversation, &[""; 5], &[""; 4]);
    }
}
