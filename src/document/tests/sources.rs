//! A document is the same, however its text is stored.

use std::sync::Arc;

use proptest::prelude::*;

use super::dialects::{OWN, settings_of};
use super::incremental::{JSON, LINES};
use crate::document::{Document, Language};
use crate::features::samples::{cut_documents, small};
use crate::text::Text;
use crate::text::tests::of_source;

/// Fails unless the document of `text` is the same with its text in a source.
fn check(text: &str, language: Language, piece: usize) -> Result<(), TestCaseError> {
    let settings = small(&settings_of(OWN));
    let whole = Document::new(Text::new(text), language, Arc::clone(&settings));
    let source = of_source(text.as_bytes(), piece).expect("a text");
    prop_assert_eq!(Language::of_text(&source), Language::of_text(whole.text()));
    let parts = Document::new(source, language, settings);
    prop_assert_eq!(parts.diagnostics(), whole.diagnostics());
    prop_assert_eq!(parts.tool_uses(), whole.tool_uses());
    prop_assert_eq!(parts.messages(), whole.messages());
    prop_assert_eq!(parts.message_count(), whole.message_count());
    let all = 0..text.len();
    prop_assert_eq!(parts.fixes_in_range(all.clone()), whole.fixes_in_range(all));
    Ok(())
}

proptest! {
    #[test]
    fn samples((text, language) in cut_documents(), piece in 1usize..200) {
        check(&text, language, piece)?;
    }

    #[test]
    fn logs(pieces in prop::collection::vec(prop::sample::select([LINES, JSON].concat()), 0..40), piece in 1usize..90) {
        check(&pieces.concat(), Language::Log, piece)?;
    }
}
