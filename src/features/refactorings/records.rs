//! Sorts the records of each tool use in a log: start, deltas, end, call, result.
//!
//! Lines only change places with lines of the same tool use; all other lines stay where they are.

use std::collections::HashMap;
use std::ops::Range;

use crate::call::CallPart;
use crate::call::pairing::Pairing;
use crate::document::{Document, Language, LocatedBlock, PairedUses};
use crate::text::DocumentEdit;

/// True if records of the log at the byte `at` are out of order.
pub fn is_unsorted(document: &Document, at: usize) -> bool {
    sort(document, at).is_some_and(|edits| !edits.is_empty())
}

/// The changed lines of the log at the byte `at`.
pub fn sort(document: &Document, at: usize) -> Option<Vec<DocumentEdit>> {
    let uses = document.paired_uses();
    let log = log_at(document, &uses, at)?;
    let mut of_uses: HashMap<usize, Vec<usize>> = HashMap::new();
    for block in log {
        if let Some(index) = uses.use_of(block) {
            of_uses.entry(index).or_default().push(block);
        }
    }
    let mut edits = Vec::new();
    for blocks in of_uses.values() {
        let ranked: Vec<_> = blocks.iter().filter_map(|block| uses.block(*block)).collect();
        // "`args: {}` followed by deltas is filled by them."
        if ranked.iter().any(|at| at.block.is_open) {
            continue;
        }
        let places: Vec<_> = ranked.iter().filter(|at| rank(at).is_some()).collect();
        let mut sorted = places.clone();
        sorted.sort_by_key(|at| rank(at));
        for (place, record) in places.into_iter().zip(sorted) {
            let (place, record) = (line_of(document, place), line_of(document, record));
            if place != record {
                edits.push((place, document.text().slice(record).into_owned()));
            }
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    Some(edits)
}

/// The blocks of the log at the byte `at`, which is a fence or the document. `None` if lines
/// depend on preceding lines, such as `event:`, and cannot be moved.
fn log_at(document: &Document, uses: &PairedUses<'_>, at: usize) -> Option<Range<usize>> {
    let block = uses.block_at(at)?;
    let first = uses.block(block)?;
    if crate::dialect::by_index(first.block.dialect)?.pairing != Pairing::ById {
        return None;
    }
    let log = match document.language() {
        Language::Log | Language::Json => 0..uses.block_count(),
        Language::Markdown | Language::Org => uses.blocks_of_segments(first.segment..first.segment + 1),
    };
    let (start, end) = (uses.block(log.start)?, uses.block(log.end.checked_sub(1)?)?);
    let text = document.text().slice(document.range_of(&start).start..document.range_of(&end).end);
    let is_named = |line: &str| {
        let line = line.trim_start_matches(['>', ' ']);
        line.starts_with("event:") || line.starts_with("id:")
    };
    (!text.split(['\n', '\r']).any(is_named)).then_some(log)
}

fn line_of(document: &Document, at: &LocatedBlock<'_>) -> Range<usize> {
    let range = document.range_of(at);
    let text = document.text().slice(range.clone());
    range.start..range.start + text.trim_end_matches(['\n', '\r']).len()
}

/// The rank of a record among the records of its tool use; `None` if it may be anywhere.
fn rank(at: &LocatedBlock<'_>) -> Option<u8> {
    match at.block.part {
        CallPart::Start => Some(0),
        CallPart::Delta => Some(1),
        CallPart::End => Some(2),
        CallPart::Call | CallPart::Both => Some(3),
        CallPart::Result => Some(4),
        CallPart::Notice => None,
    }
}
