//! The delta text of a stream log: the texts of its `text-delta` records, joined in order, are
//! parsed for inline blocks as a document inside of the document.
//!
//! A log that is the whole document keeps that document and edits it incrementally
//! ([`Document::delta_text`], [`LogDeltaText`]). The delta text of a log in a fence is parsed anew
//! with its segment and not kept (`segments/delta_pieces.rs`). In both, diagnostics and blocks are
//! located at the record in which they begin.

use std::cell::{RefCell, RefMut};
use std::ops::Range;

use crate::document::Document;
use crate::never::OrNever;
use crate::segments::DeltaRecord;

/// Converts ranges of the delta text to ranges of the log. Caches the last record, because parsing
/// a record costs its whole length.
pub struct LogDeltaText<'d> {
    document: &'d Document,
    last: RefCell<Option<DeltaRecord>>,
}

impl LogDeltaText<'_> {
    /// Converts `range` of [`Document::delta_text`] to a range of the log, in the record
    /// in which it begins.
    pub fn locate(&self, range: Range<usize>) -> Range<usize> {
        let place = |record: &DeltaRecord| record.span_of(&range).range_at(record.offset);
        self.record(range.start).as_ref().never_none().map_or(0..0, place)
    }

    /// True if one record has all of `range`.
    pub fn is_in_one_record(&self, range: &Range<usize>) -> bool {
        self.record(range.start).as_ref().is_some_and(|record| range.end <= record.range.end)
    }

    fn record(&self, at: usize) -> RefMut<'_, Option<DeltaRecord>> {
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|last| !last.range.contains(&at)) {
            *last = self.document.record_of_delta_text(at);
        }
        last
    }
}

impl Document {
    /// Returns a converter from ranges of [`Document::delta_text`] to ranges of this log.
    pub fn delta_text_locations(&self) -> LogDeltaText<'_> {
        LogDeltaText { document: self, last: RefCell::new(None) }
    }

    /// The edits that replace `range` of the delta text by `new`: `new` is written into the first
    /// record, and the other records lose their parts of the range.
    pub fn edits_in_delta_text(&self, range: &Range<usize>, new: &str) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        let mut at = range.start;
        while at < range.end
            && let Some(record) = self.record_of_delta_text(at)
            && at < record.range.end
        {
            let end = range.end.min(record.range.end);
            let text = if edits.is_empty() { new } else { "" };
            edits.push((record.span_of(&(at..end)).range_at(record.offset), text.to_owned()));
            at = end;
        }
        edits
    }
}
