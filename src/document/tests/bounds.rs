//! The memory of a document is bounded, whatever its text.

use std::sync::Arc;

use crate::config::Settings;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Language};
use crate::syntax::MOST_REGIONS;
use crate::text::{Splice, Text};

fn read(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

/// The number of regions in `document`, and the diagnostics that report omitted ones.
fn regions_and_omissions(document: &Document) -> (usize, Vec<Diagnostic>) {
    let regions = document.tree().iter().map(|located| located.segment.regions().len()).sum();
    let problems = document.diagnostics().into_iter().filter(|problem| problem.code == Code::NotChecked);
    (regions, problems.collect())
}

#[test]
fn a_paragraph_has_a_bounded_number_of_blocks() {
    for piece in [
        "###:{\"a\":1} ",
        "<tool>x\n",
        "> <tool>x\n",
        "<tool>a(b=1)</tool>",
        "🔧 **Tool Call:** `a(x=1)`\n",
        "- ###:{\"a\":1}\n",
    ] {
        let (regions, problems) = regions_and_omissions(&read(&piece.repeat(MOST_REGIONS)));
        assert_eq!((regions, &*problems), (MOST_REGIONS, &[] as &[Diagnostic]), "{piece:?}");

        let mut document = read(&piece.repeat(MOST_REGIONS + 500));
        let (regions, problems) = regions_and_omissions(&document);
        assert_eq!((regions, problems.len()), (MOST_REGIONS, 1), "{piece:?}");
        let behind = piece.len() * MOST_REGIONS;
        assert!((behind..behind + piece.len()).contains(&problems[0].range.start), "{piece:?}");
        assert!(problems[0].message.starts_with("a paragraph has at most 2048 tool blocks"));

        for (start, removed, inserted) in [
            (0, 0, "a"),
            (0, piece.len(), ""),
            (behind, 0, "</tool>"),
            (behind + piece.len(), 0, "\n\n"),
            (piece.len(), 0, "\n\n"),
            (piece.len(), piece.len(), ""),
            (piece.len() * 1000, 0, "\n\nbetween\n\n"),
        ] {
            let text = document.text().to_string();
            let character = |at: usize| (at..).find(|at| text.is_char_boundary(*at)).expect("a character");
            let (start, end) = (character(start), character(start + removed));
            document.apply(Splice { start, removed: end - start, inserted: inserted.len() }, inserted);
            let fresh = read(&document.text().to_string());
            assert!(
                regions_and_omissions(&document) == regions_and_omissions(&fresh),
                "{piece:?}, after {start} {removed} {inserted:?}"
            );
        }
    }
}
