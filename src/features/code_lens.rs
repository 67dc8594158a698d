//! Code lenses: over each batch what it did and that it can be converted, over each pending call that it can be completed.

use super::refactorings::Refactoring;
use crate::call::{Outcome, Part, Status, label_of_batch};
use crate::document::{BlockAt, Document, Language};

/// A line above a block.
#[derive(Clone, Debug)]
pub struct Lens {
    /// Where the block begins, in document offsets.
    pub at: usize,
    /// What it says.
    pub title: String,
    /// What it does.
    pub action: Action,
}

/// What a lens does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Shows the batch that begins there, drawn open.
    ShowBatch,
    /// Asks for a dialect, and converts the batch that begins there.
    ConvertBatch,
    /// This.
    Do(Refactoring),
}

/// The most lenses of a document: editors make room for each of them at once, wherever it stands.
const MOST: usize = 1000;

/// The lenses of `document`, in the order of the text; of very many the first ones.
pub fn code_lenses(document: &Document) -> Vec<Lens> {
    let uses = document.uses();
    let mut lenses = Vec::new();
    for batch in uses.batches() {
        let Some(first) = uses.blocks.get(batch.blocks.start) else { continue };
        let at = document.range_of(first).start;
        lenses.push(Lens { at, title: label_of_batch(batch.batch), action: Action::ShowBatch });
        if document.language() == Language::Markdown {
            lenses.push(Lens { at, title: "Convert…".to_owned(), action: Action::ConvertBatch });
        }
    }
    for tool_use in uses.uses.iter().filter(|tool_use| tool_use.status == Status::Pending) {
        let is_call = |at: &BlockAt<'_>| at.block.part == Part::Call && at.block.is_sound;
        let Some(call) = uses.parts(tool_use).find(is_call) else { continue };
        let at = document.range_of(&call).start;
        let complete = Refactoring::Complete { at, outcome: Outcome::Empty };
        lenses.push(Lens { at, title: "Complete".to_owned(), action: Action::Do(complete) });
    }
    lenses.sort_by_key(|lens| lens.at);
    lenses.truncate(MOST);
    lenses
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::text::Text;

    fn open(text: &str, language: Language) -> Document {
        Document::new(Text::new(text), language, Arc::new(Settings::default()))
    }

    #[track_caller]
    fn check(text: &str, language: Language, expected: &[(usize, &str)]) {
        let document = open(text, language);
        let lenses = code_lenses(&document);
        let found: Vec<_> = lenses.iter().map(|lens| (lens.at, lens.title.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn batches_and_pending_calls_have_lenses() {
        check("text\n", Language::Markdown, &[]);
        check("<tool>a()\n</tool>\n", Language::Markdown, &[]);
        check(
            "> <tool>a()</tool>\n>\n> ```tool\n> {\"output\":1}\n> ```\n\nand\n\n###: {\"toolName\":\"b\"}\n",
            Language::Markdown,
            &[(2, "🔧 2 tool calls · 1 pending"), (2, "Convert…"), (2, "Complete"), (58, "Complete")],
        );
        let many = open(&"<tool>a()</tool>\n\nand\n\n".repeat(MOST + 1), Language::Markdown);
        assert_eq!(code_lenses(&many).len(), MOST);
        let log = "{\"type\":\"tool-call\",\"toolCallId\":\"x\",\"toolName\":\"a\",\"input\":{}}\n";
        check(
            &format!("{log}{}", log.replace("\"x\"", "\"y\"")),
            Language::Stream,
            &[(0, "🔧 2 tool calls · 2 pending"), (0, "Complete"), (log.len(), "Complete")],
        );
    }
}
