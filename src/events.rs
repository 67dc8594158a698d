//! The events of a document or a tool use in the UI message stream of the AI SDK (formats.md §5).

use std::cell::RefCell;
use std::collections::HashMap;

use crate::call::pairing::Pairing;
use crate::call::{ToolUse, UseData};
use crate::document::Document;
use crate::document::LocatedBlock;
use crate::json::quote;
use crate::places::{DocumentPassage, OmittedBlock};

/// The error text for a failed call without one.
const UNKNOWN_ERROR: &str = "An unknown tool error occurred.";

/// The partition of text into `text-delta` events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deltas {
    /// One event per text.
    OnePerText,
    /// One event per word with the white space after it, like a model.
    OnePerWord,
}

/// The events of `document`: one JSON object each, without a line end.
///
/// Blocks that readers do not accept as calls stay text: results without a call, and blocks that do
/// not parse.
pub fn events_of_document(document: &Document, deltas: Deltas) -> Vec<String> {
    let mut events = vec![r#"{"type":"start"}"#.to_owned()];
    let mut texts = 0;
    let ids = RefCell::<UniqueIds>::default();
    for passage in document.passages(&|document, _| cuts(document, &mut ids.borrow_mut())) {
        match passage {
            DocumentPassage::Text(text, _) => {
                texts += 1;
                events.push(format!(r#"{{"type":"text-start","id":"text-{texts}"}}"#));
                let delta = |piece: &str| {
                    format!(r#"{{"type":"text-delta","id":"text-{texts}","delta":{}}}"#, quote(piece))
                };
                match deltas {
                    Deltas::OnePerText => events.push(delta(&text)),
                    Deltas::OnePerWord => events.extend(words(&text).map(delta)),
                }
                events.push(format!(r#"{{"type":"text-end","id":"text-{texts}"}}"#));
            }
            DocumentPassage::Item(of_use) => events.extend(of_use),
        }
    }
    events.push(r#"{"type":"finish"}"#.to_owned());
    events
}

/// The words of `text`, each with all white space after it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let space = rest.get(word..)?.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len() - word);
        let (piece, behind) = rest.split_at_checked(word + space).filter(|(piece, _)| !piece.is_empty())?;
        rest = behind;
        Some(piece)
    })
}

/// The blocks of calls that readers accept; the events of each call are at its first block.
fn cuts(document: &Document, ids: &mut UniqueIds) -> Vec<OmittedBlock<Vec<String>>> {
    let uses = document.uses_in_text();
    let full = document.all_tool_uses_of(&uses);
    let cut = |(index, at): (usize, &LocatedBlock<'_>)| {
        let of = uses.use_of(index)?;
        let tool_use = full.get(of).filter(|it: &&ToolUse| it.has_call && it.has_valid_call)?;
        let is_first = uses.uses.get(of)?.parts.first() == Some(&index);
        let mut events = || match at.block.pairing {
            Pairing::InConversation => {
                events_with(&ids.of(tool_use.id.as_deref().unwrap_or_default()), tool_use)
            }
            _ => events_of(tool_use),
        };
        Some(OmittedBlock { range: document.range_of(at), item: is_first.then(&mut events) })
    };
    uses.blocks().iter().enumerate().filter_map(cut).collect()
}

/// The ids of the calls of conversations in a stream. All of it is one message, in which front ends
/// keep one call for an id, while calls of different conversations may share one.
#[derive(Default)]
struct UniqueIds {
    /// For each id, how many calls have it.
    counts: HashMap<String, usize>,
}

impl UniqueIds {
    /// The id of the next call, which has `id` in the document: with a number if it is used.
    fn of(&mut self, id: &str) -> String {
        loop {
            let count = self.counts.entry(id.to_owned()).or_default();
            *count += 1;
            if *count == 1 {
                return id.to_owned();
            }
            let numbered = format!("{id}-{count}");
            if self.counts.insert(numbered.clone(), 1).is_none() {
                return numbered;
            }
        }
    }
}

/// The events of `tool_use`, which contains a call: one JSON object each.
pub fn events_of(tool_use: &ToolUse) -> Vec<String> {
    events_with(tool_use.id.as_deref().unwrap_or_default(), tool_use)
}

/// The events of `tool_use` with `id`.
fn events_with(id: &str, tool_use: &ToolUse) -> Vec<String> {
    let id = quote(id);
    let name = quote(tool_use.shown_name());
    let input = tool_use.input_as_json();
    let call = format!(
        "{{\"type\":\"tool-input-available\",\"toolCallId\":{id},\"toolName\":{name},\"input\":{input}}}"
    );
    let has_state = |state: &str| tool_use.state.as_deref() == Some(state);
    let result = if tool_use.error_text.is_some() || has_state("output-error") {
        let text = quote(tool_use.error_text.as_deref().unwrap_or(UNKNOWN_ERROR));
        Some(format!("{{\"type\":\"tool-output-error\",\"toolCallId\":{id},\"errorText\":{text}}}"))
    } else if tool_use.output.is_some() || has_state("output-available") {
        let output = tool_use.output.as_ref().map_or_else(|| "null".to_owned(), UseData::to_json);
        Some(format!("{{\"type\":\"tool-output-available\",\"toolCallId\":{id},\"output\":{output}}}"))
    } else {
        None
    };
    std::iter::once(call).chain(result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::{Document, Language};
    use crate::text::Text;

    #[track_caller]
    fn check_document(text: &str, language: Language, expected: &[&str]) {
        let document = Document::new(Text::new(text), language, Arc::new(Settings::default()));
        let events = events_of_document(&document, Deltas::OnePerText);
        let (first, last) = (events.first().unwrap(), events.last().unwrap());
        assert_eq!((first.as_str(), last.as_str()), (r#"{"type":"start"}"#, r#"{"type":"finish"}"#));
        let short = |event: &String| {
            let event: serde_json::Value = serde_json::from_str(event).unwrap();
            let text = |key: &str| event[key].as_str().map(str::to_owned);
            text("delta").unwrap_or_else(|| {
                [text("type"), text("id").or(text("toolCallId"))].map(Option::unwrap_or_default).join(" ")
            })
        };
        let events: Vec<_> = events.get(1..events.len() - 1).unwrap().iter().map(short).collect();
        assert_eq!(events, expected, "{text}");
    }

    #[test]
    fn text_around_calls_is_unchanged() {
        check_document("", Language::Markdown, &[]);
        check_document(
            "Before\n```tool\n{\"toolCallId\": \"a\", \"output\": 1}\n```\nAfter",
            Language::Markdown,
            &[
                "text-start text-1",
                "Before\n",
                "text-end text-1",
                "tool-input-available a",
                "tool-output-available a",
                "text-start text-2",
                "\nAfter",
                "text-end text-2",
            ],
        );
    }

    #[test]
    fn text_of_a_message_log_is_that_of_the_assistant() {
        check_document(
            r#"[{"role": "user", "content": "q"}, {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "t"}, {"type": "text", "text": "one"},
                {"type": "tool_use", "id": "a", "name": "f", "input": {}}, {"type": "text", "text": "two"}]},
              {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "r"}]}]"#,
            Language::Json,
            &[
                "text-start text-1",
                "one",
                "text-end text-1",
                "tool-input-available a",
                "tool-output-available a",
                "text-start text-2",
                "two",
                "text-end text-2",
            ],
        );
    }

    #[test]
    fn each_call_has_an_id_of_its_own() {
        let conversation = |id: &str| {
            format!(
                r#"{{"messages": [{{"role": "assistant", "content": null, "tool_calls": [{{"id": "{id}", "type": "function", "function": {{"name": "f", "arguments": "{{}}"}}}}]}}, {{"role": "tool", "tool_call_id": "{id}", "content": "r"}}]}}"#
            ) + "\n"
        };
        let text = ["a", "a-2", "a", "a"].map(conversation).concat();
        let ids = ["a", "a-2", "a-3", "a-4"];
        let both = |id| [format!("tool-input-available {id}"), format!("tool-output-available {id}")];
        let expected: Vec<_> = ids.into_iter().flat_map(both).collect();
        check_document(&text, Language::Log, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn text_is_cut_after_white_space() {
        for (text, expected) in [
            ("", &[][..]),
            ("a", &["a"]),
            (" a  b\n\n", &[" ", "a  ", "b\n\n"]),
            ("é\u{3000}ü ", &["é\u{3000}", "ü "]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn rejected_blocks_stay_text() {
        for text in [
            "```tool\n{\"a\": }\n```\n",
            "```tool\n[]\n```\n",
            "```tool\n{} x\n```\n",
            "<validation>a\nb</validation>\n",
        ] {
            check_document(text, Language::Markdown, &["text-start text-1", text, "text-end text-1"]);
        }
    }

    #[test]
    fn log_is_written_by_its_result() {
        check_document(
            "{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"a\"}\n{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"a\",\"input\":{}}\n\
             {\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"b\"}\n{\"type\":\"tool-result\",\"toolCallId\":\"1\",\"toolName\":\"a\",\"output\":1}\n",
            Language::Log,
            &[
                "text-start text-1",
                "a",
                "text-end text-1",
                "tool-input-available 1",
                "tool-output-available 1",
                "text-start text-2",
                "b",
                "text-end text-2",
            ],
        );
    }

    /// Compares the events of the first tool use of `text`, without the events that all tool uses
    /// have.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let uses = document.tool_uses();
        let events = events_of(&uses[0]);
        assert_eq!(events, expected, "{text}");
        for event in events {
            assert!(serde_json::from_str::<serde_json::Value>(&event).unwrap().is_object());
        }
    }

    #[test]
    fn call_is_followed_by_at_most_one_result() {
        let call =
            r#"{"type":"tool-input-available","toolCallId":"tool-call-1","toolName":"tool","input":{}}"#;
        let error = r#"{"type":"tool-output-error","toolCallId":"tool-call-1","errorText":"An unknown tool error occurred."}"#;
        let output = r#"{"type":"tool-output-available","toolCallId":"tool-call-1","output":null}"#;
        check("```tool\n{}\n```\n", &[call]);
        check("```tool\n{\"input\": null, \"state\": \"input-streaming\"}\n```\n", &[call]);
        check("```tool\n{\"state\": \"output-error\", \"output\": 1}\n```\n", &[call, error]);
        check("```tool\n{\"state\": \"output-available\"}\n```\n", &[call, output]);
        check(
            "```tool\n{\"toolCallId\": \"a\\\"\", \"toolName\": \"rd\", \"input\": [1.50], \"output\": {\"b\": 1, \"a\": 2}}\n```\n",
            &[
                r#"{"type":"tool-input-available","toolCallId":"a\"","toolName":"rd","input":[1.50]}"#,
                r#"{"type":"tool-output-available","toolCallId":"a\"","output":{"b":1,"a":2}}"#,
            ],
        );
        check(
            "<tool>rd(p=a &lt; b, n=1)\nfine\n</tool>\n",
            &[
                r#"{"type":"tool-input-available","toolCallId":"tag-call-1","toolName":"rd","input":{"p":"a < b","n":1}}"#,
                r#"{"type":"tool-output-available","toolCallId":"tag-call-1","output":"fine\n"}"#,
            ],
        );
    }
}
