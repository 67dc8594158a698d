//! What is offered without a trial: other ids for the calls of real transcripts.

use std::path::Path;
use std::sync::Arc;

use super::are_replaceable;
use crate::document::{Document, Language};
use crate::features::refactorings::Refactoring;
use crate::features::samples::SAMPLES;
use crate::text::Text;

/// A transcript of each family of programs, and the samples.
fn transcripts() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families");
    let files = std::fs::read_dir(folder).expect("the transcripts").map(|file| file.expect("a file").path());
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        let language = Language::of("", &path.to_string_lossy(), &Text::new(&text));
        Some((text, language))
    };
    let all = files.filter_map(|path| read(&path)).chain(SAMPLES.iter().cloned());
    all.map(|(text, language)| Document::new(Text::new(&text), language, Arc::default())).collect()
}

#[test]
fn replaceable_ids_can_be_replaced() {
    let mut count = 0;
    for document in transcripts() {
        let uses = document.paired_uses();
        if !are_replaceable(&document, &uses) {
            continue;
        }
        count += usize::from(!uses.uses.is_empty());
        let numbered = Refactoring::NumberIds.edits(&document);
        let text = document.text().slice(0..document.text().len());
        assert!(numbered.is_ok() || super::number(&document).is_empty(), "{numbered:?}\n{text}");
        for at in uses.blocks() {
            let renamed = Refactoring::NewId(document.range_of(at).start).edits(&document);
            assert!(renamed.is_ok(), "{renamed:?}\n{text}");
        }
    }
    assert!(count > 20, "{count}");
}
