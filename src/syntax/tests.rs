//! Tests of the tree: against other parsers, against itself after edits, and by fixtures.

mod headings;
mod incremental;
mod oracle;
mod regions;
mod soup;

use super::{Attachment, TextParts, Tree};

impl<A: Attachment> Tree<A> {
    /// Panics if the lengths are inconsistent.
    pub fn assert_invariants(&self)
    where
        A::Summary: PartialEq + std::fmt::Debug,
    {
        self.segments.assert_invariants();
        for located in self.iter() {
            let segment = located.segment;
            assert!(segment.len > 0 && segment.content_len <= segment.len);
            assert!(segment.start.as_ref().is_none_or(|state| !state.is_default()));
            let mut end = 0;
            for region in segment.regions() {
                assert!(region.span.start >= end && region.span.end <= segment.len, "{region:?}");
                end = region.span.end;
            }
            if let TextParts::Several(parts) = segment.parts() {
                let starts: Vec<u32> = parts.containers.iter().map(|(start, _)| *start).collect();
                assert!(starts.is_sorted_by(|one, other| one < other), "{parts:?}");
                let is_region = |start: &u32| parts.regions.iter().any(|region| region.span.start == *start);
                assert!(starts.iter().all(is_region), "{parts:?}");
            }
            for heading in segment.headings() {
                assert!(heading.span.end <= segment.len && heading.title.end <= heading.span.end);
                assert!(heading.title.start >= heading.span.start);
            }
        }
    }
}
