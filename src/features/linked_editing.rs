//! Linked editing: ranges that are edited together: the names of an opening and closing tag, and
//! the id of a call in the records of its tool use.
//!
//! LSP 3.17: "The ranges must have identical length and contain identical text content."
//! Occurrences with another spelling are left out.

use std::ops::Range;

use crate::call::CallPart;
use crate::document::Document;
use crate::places::call_position::CallPosition;
use crate::places::name_occurrences::{NameOccurrence, NamedItem};
use crate::text::Span;

/// Ranges with the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedEditingRanges {
    /// Two or more ranges, in document order.
    pub ranges: Vec<Range<usize>>,
    /// A regular expression for the text that may be typed; any other text unlinks the ranges.
    pub pattern: &'static str,
}

/// The characters of an id, without the characters that JSON escapes.
const ID: &str = r#"[^"\\\s]*"#;
/// The characters of a tag's name.
const TAG: &str = "[a-z]*";
const LONGEST_TAG: usize = 16;

/// The ranges that are edited together with the range at `at`.
pub fn linked_editing(document: &Document, at: usize) -> Option<LinkedEditingRanges> {
    ids(document, at).or_else(|| {
        // Editors request this on each cursor movement, and a block may be long.
        let is_at_tag = is_at_tag(document, at);
        is_at_tag.then(|| document.call_position_at(at, |position| tags(position, at)))??
    })
}

/// True if the position may be in the name of a tag.
fn is_at_tag(document: &Document, at: usize) -> bool {
    let text = document.text();
    let before = text.slice(at.saturating_sub(LONGEST_TAG)..at);
    let behind = text.slice(at..text.len().min(at + LONGEST_TAG));
    let is_name = |c: char| c.is_ascii_lowercase();
    before.trim_end_matches(is_name).ends_with(['<', '/'])
        && behind.trim_start_matches(is_name).starts_with('>')
}

/// If two calls in a log share an id, one of them needs another id: nothing is linked.
fn ids(document: &Document, at: usize) -> Option<LinkedEditingRanges> {
    let is_id =
        |mention: &NameOccurrence<'_>| mention.named == NamedItem::Records && holds(&mention.range, at);
    let mention = document.name_occurrence_at(at).filter(is_id)?;
    // Letters would need quotes.
    if document.is_number_in_json(&mention.written) {
        return None;
    }
    let all = document.occurrences_like(&mention);
    let of_part = |part: CallPart| all.iter().filter(|mention| mention.at.block.part == part).count();
    if of_part(CallPart::Call) > 1 || of_part(CallPart::Start) > 1 {
        return None;
    }
    let spelling = document.text().slice(mention.range.clone());
    let is_same = |range: &Range<usize>| document.text().slice(range.clone()) == spelling;
    let ranges: Vec<_> = all.iter().map(|mention| mention.range.clone()).filter(is_same).collect();
    (ranges.len() > 1).then_some(LinkedEditingRanges { ranges, pattern: ID })
}

/// The names of the opening and closing tag of a block, if the position is in one of them.
fn tags(position: &CallPosition<'_>, at: usize) -> Option<LinkedEditingRanges> {
    let text = Some(position.call.content).filter(|_| position.call.payload.is_none())?;
    let name = text.strip_prefix('<')?.split_once('>')?.0;
    let behind = text.strip_suffix('>')?.strip_suffix(name)?;
    if name.is_empty() || !position.source.closed || !behind.ends_with("</") {
        return None;
    }
    let place = |start: usize| position.range_of(Span::new(start, start + name.len()));
    let ranges = vec![place(1), place(behind.len())];
    let is_there = ranges.iter().any(|range| holds(range, at));
    is_there.then_some(LinkedEditingRanges { ranges, pattern: TAG })
}

fn holds(range: &Range<usize>, at: usize) -> bool {
    range.start <= at && at <= range.end
}

#[cfg(test)]
mod tests;
