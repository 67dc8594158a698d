//! Code lenses, as selected in `[lenses]`: the label and the conversion of each batch, and the
//! completion of each pending call whose form has results that can be written.

use std::collections::HashMap;

use super::refactorings::Refactoring;
use super::refactorings::outcomes::{has_outcome_form, pending_call};
use crate::call::pairing::Pairing;
use crate::call::{UseOutcome, UseStatus, label_of_batch};
use crate::document::{Document, Language, LocatedBlock};
use crate::never::OrNever;

/// A code lens, shown above a block.
#[derive(Clone, Debug)]
pub struct CodeLens {
    /// Start of the block, in document offsets.
    pub offset: usize,
    /// The title.
    pub title: String,
    /// The action of a click.
    pub action: LensAction,
}

/// The action of a lens.
#[derive(Clone, Debug)]
pub enum LensAction {
    /// Shows the batch that begins at the lens, expanded.
    ShowBatch,
    /// Lets the user choose a dialect and converts the batch that begins at the lens.
    ConvertBatch,
    /// Applies this refactoring.
    Do(Refactoring),
}

/// Maximum number of lenses in a document. Editors lay out all of them at once, even lenses out of
/// sight.
pub const MOST: usize = 1000;

/// The lenses of `document` in document order; only the first ones if there are too many.
pub fn code_lenses(document: &Document) -> Vec<CodeLens> {
    let uses = document.paired_uses();
    let mut lenses = Vec::new();
    let mut add = |offset, title: &str, action| {
        lenses.push(CodeLens { offset, title: title.to_owned(), action });
    };
    let enabled = document.settings().lenses;
    for batch in uses.batches.iter().filter(|_| enabled.batch).take(MOST) {
        let Some(first) = uses.block(batch.blocks.start).never_none() else { continue };
        let at = document.range_of(&first).start;
        add(at, &label_of_batch(batch.counts), LensAction::ShowBatch);
        let is_writable = first.block.pairing != Pairing::InConversation;
        if is_writable && document.language() == Language::Markdown {
            add(at, "Convert…", LensAction::ConvertBatch);
        }
    }
    let pending = uses.uses.iter().filter(|it| enabled.pending && it.status == UseStatus::Pending);
    // A trial reads all of a fence, so that only the first call of each dialect is tried.
    let mut tried = HashMap::new();
    let mut is_like_completable = |call: &LocatedBlock<'_>| {
        document.has_outcome_form(call)
            || *tried.entry(call.block.dialect).or_insert_with(|| has_outcome_form(document, call))
    };
    let calls = pending.take(MOST).filter_map(|it| pending_call(&uses, it));
    for call in calls.filter(|call| is_like_completable(call)) {
        let at = document.range_of(&call).start;
        let complete = Refactoring::Complete { at, outcome: UseOutcome::Empty };
        add(at, "Complete", LensAction::Do(complete));
    }
    lenses.sort_by_key(|lens| lens.offset);
    lenses.truncate(MOST);
    lenses
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::{LensSettings, Settings};
    use crate::text::Text;

    const ALL: LensSettings = LensSettings { batch: true, pending: true, run: true };

    fn open(text: &str, language: Language, lenses: LensSettings) -> Document {
        Document::new(Text::new(text), language, Arc::new(Settings { lenses, ..Settings::default() }))
    }

    #[track_caller]
    fn check(text: &str, language: Language, expected: &[(usize, &str)]) {
        check_with(text, language, ALL, expected);
    }

    #[track_caller]
    fn check_with(text: &str, language: Language, lenses: LensSettings, expected: &[(usize, &str)]) {
        let document = open(text, language, lenses);
        let lenses = code_lenses(&document);
        let found: Vec<_> = lenses.iter().map(|lens| (lens.offset, lens.title.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn batch_lenses_are_off_by_default() {
        let text = "<tool>a()</tool>\n\n<tool>b()\n</tool>\n";
        check_with(text, Language::Markdown, LensSettings::default(), &[(0, "Complete")]);
        check_with(text, Language::Markdown, LensSettings { pending: false, ..LensSettings::default() }, &[]);
        check_with(
            text,
            Language::Markdown,
            LensSettings { batch: true, pending: false, run: true },
            &[(0, "🔧 2 tool calls · 1 pending"), (0, "Convert…")],
        );
    }

    #[test]
    fn batches_and_pending_calls_have_lenses() {
        check("text\n", Language::Markdown, &[]);
        check("<tool>a()\n</tool>\n", Language::Markdown, &[]);
        // Results of these forms cannot be written.
        let user = r#"{"role":"user","message":{"content":[{"type":"text","text":"a"}]}}"#;
        for call in [
            r#"{"role":"assistant","message":{"content":[{"type":"tool_use","name":"a","input":{}}]}}"#,
            r#"{"type":"agent.tool_use","id":"x","name":"a","input":{}}"#,
        ] {
            let document = open(&format!("{user}\n{call}\n"), Language::Log, LensSettings::default());
            assert_eq!((document.tool_uses().len(), code_lenses(&document).len()), (1, 0), "{call}");
        }
        check(
            "> <tool>a()</tool>\n>\n> ```tool\n> {\"output\":1}\n> ```\n\nand\n\n###: {\"toolName\":\"b\"}\n",
            Language::Markdown,
            &[(2, "🔧 2 tool calls · 1 pending"), (2, "Convert…"), (2, "Complete"), (58, "Complete")],
        );
        let many = open(&"<tool>a()</tool>\n\nand\n\n".repeat(MOST + 1), Language::Markdown, ALL);
        assert_eq!(code_lenses(&many).len(), MOST);
        let log = "{\"type\":\"tool-call\",\"toolCallId\":\"x\",\"toolName\":\"a\",\"input\":{}}\n";
        check(
            &format!("{log}{}", log.replace("\"x\"", "\"y\"")),
            Language::Log,
            &[(0, "🔧 2 tool calls · 2 pending"), (0, "Complete"), (log.len(), "Complete")],
        );
    }
}
