//! Updates the tree after an edit of the text.
//!
//! It begins one segment before the damage, or at an earlier segment whose lookahead reached the
//! damage, and stops at the first old segment after the edit that starts with the same state. The
//! result equals the result of [`parse`](super::parse), except for the positions at which long
//! fences and HTML blocks are split into bodies.

use std::ops::Range;
use std::sync::Arc;

use super::container::ScannerState;
use super::parser::{SegmentParser, StopCondition};
use super::rules::{CloserBits, InlineRules};
use super::segment::{Attachment, LayoutSummary, Segment, SegmentKind};
use super::tree::Tree;
use crate::never::OrNever;
use crate::syntax::lookahead::{CloserLookahead, LookaheadResult, UnchangedTail};
use crate::syntax::rules::LookaheadQuery;
use crate::text::{Splice, Text, saturate};

/// The number of bytes at the start of a line that show what it does to a fence around it.
const BEGINNING: usize = 64;
/// The longest closer or bar.
const LONGEST_HIT: usize = u8::MAX as usize;

/// The segments that a reparse replaced; those in `new` have no attachments yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Their indices in the old tree.
    pub old: Range<usize>,
    /// The indices of their replacements, in the new tree.
    pub new: Range<usize>,
}

/// Returns the tree of `text`, which is the result of applying `splice` to the text of `old`, and
/// the damage. `rules` must be the rules of the old tree.
pub fn reparse<A: Attachment>(
    old: &Tree<A>,
    text: &Text,
    splice: Splice,
    rules: &InlineRules,
) -> (Tree<A>, Damage) {
    if let Some((index, segment)) = edited_line(old, text, splice, rules) {
        let damage = Damage { old: index..index + 1, new: index..index + 1 };
        let mut tree = old.clone();
        tree.splice(damage.old.clone(), segment.into());
        return (tree, damage);
    }
    let start = first_to_read(old, text, splice, rules);
    let mut stopped = old.len();
    let segments = {
        let offset = old.offset_of(start);
        let state = old.get(start).and_then(|segment| segment.start.as_deref());
        let parser = SegmentParser::new(text, rules, offset, state, Some(unchanged_tail(old, splice)));
        let next = old
            .segments
            .find(|sum: &LayoutSummary| sum.bytes > splice.old_end())
            .map_or(old.len(), |(index, _)| index);
        parser.run(StopAtKnownState { old, splice, next, offset: old.offset_of(next), stopped: &mut stopped })
    };
    let damage = Damage { old: start..stopped, new: start..start + segments.len() };
    let mut tree = old.clone();
    tree.segments.splice(damage.old.clone(), segments);
    (tree, damage)
}

/// The segment in which `splice` edits a line of a fence, with its index, after an edit that
/// certainly changes nothing but lengths. The line is not read: it may have many megabytes.
fn edited_line<A: Attachment>(
    old: &Tree<A>,
    text: &Text,
    splice: Splice,
    rules: &InlineRules,
) -> Option<(usize, Segment<A>)> {
    let here = old.segment_at(splice.start)?;
    let line = text.line_content(text.line_of_byte(splice.start));
    let beginning = line.start..line.start + BEGINNING;
    if beginning.end > splice.start || splice.new_end() >= line.end || line.start < here.offset {
        return None;
    }
    let moved = |len: u32| saturate((len as usize + splice.inserted).saturating_sub(splice.removed));
    let mut segment = here.segment.clone();
    segment.attachment = A::default();
    segment.len = moved(segment.len);
    segment.content_len = moved(segment.content_len);
    let closing = match &mut segment.kind {
        SegmentKind::Fence(head) if here.offset + head.content as usize <= line.start => {
            &mut Arc::make_mut(head).closing
        }
        SegmentKind::Body { closing } => closing,
        _ => return None,
    };
    let is_closing = closing.is_some_and(|closing| here.offset + closing as usize <= line.start);
    *closing = closing.map(moved);
    let head = old.get(old.head_of(here.index))?;
    // Closing lines, and headings of Org, are known by their first byte.
    let beginning = text.slice(beginning.start..text.floor_boundary(beginning.end));
    let is_content = beginning
        .trim_start_matches([' ', '\t', '>'])
        .starts_with(|first| !matches!(first, '`' | '~' | '#' | '*' | '\u{feff}'));
    let lines = text.line_of_byte(here.offset + segment.len as usize) - here.line;
    let is_same = is_content && lines == segment.lines as usize && segment.decides == 0;
    let is_alone = old.segments.find(|sum: &LayoutSummary| sum.reach >= splice.start)?.0 == here.index;
    if is_closing || !is_same || !is_alone || !matches!(head.kind, SegmentKind::Fence(_)) {
        return None;
    }
    let around = text.floor_boundary(splice.start.saturating_sub(LONGEST_HIT));
    let around = text.slice(around..text.floor_boundary(splice.new_end() + LONGEST_HIT));
    let mut decides = 0;
    rules.find(around.as_bytes(), |_, role| decides |= role.decides());
    (decides == 0).then_some((here.index, segment))
}

/// The part of the old tree after the edit. Excludes a segment that the edit touches: its first
/// line may have become the end of another one.
fn unchanged_tail<A: Attachment>(old: &Tree<A>, splice: Splice) -> UnchangedTail<'_, A> {
    let touched = old.segments.find(|sum: &LayoutSummary| sum.bytes > splice.old_end());
    let old_start = old.offset_of(touched.map_or(old.len(), |(index, _)| index + 1));
    UnchangedTail {
        tree: old,
        old_start,
        new_start: (old_start + splice.new_end()).saturating_sub(splice.old_end()),
    }
}

/// The first segment to parse.
fn first_to_read<A: Attachment>(old: &Tree<A>, text: &Text, splice: Splice, rules: &InlineRules) -> usize {
    let touched = old.segments.find(|sum: &LayoutSummary| sum.reach >= splice.start);
    let start = touched.map_or(old.len(), |(index, _)| index).saturating_sub(1);
    let undecided = old.layout_before(start).undecided;
    if undecided == 0 {
        return start;
    }
    let offset = old.offset_of(start);
    let ahead = CloserLookahead::new(text, Some(unchanged_tail(old, splice)));
    rules
        .closers()
        .filter(|(bit, ..)| undecided & bit != 0)
        .filter(|(bit, wanted)| {
            matches!(ahead.find_from_line_start(*wanted, *bit, offset), LookaheadResult::Closer(_))
        })
        .map(|(bit, wanted)| first_decided(old, text, rules, bit, wanted, start))
        .min()
        .unwrap_or(start)
}

/// The first segment before `start` with an open tag that a closer after `start` now closes.
fn first_decided<A: Attachment>(
    old: &Tree<A>,
    text: &Text,
    rules: &InlineRules,
    bit: CloserBits,
    wanted: LookaheadQuery,
    start: usize,
) -> usize {
    let mut first = start;
    let mut before = start;
    while let Some(found) =
        old.segments.previous_matching(before, |sum: &LayoutSummary| (sum.decides | sum.undecided) & bit != 0)
    {
        let Some(located) = old.locate(found).never_none() else { break };
        let last = wanted.last_in(text, located.range());
        let parts = located.segment.parts();
        let is_open = parts.regions().iter().any(|region| {
            !region.closed
                && parts.containers_of(region).is_empty()
                && rules.closer_bit(region.rule) == bit
                && last.is_none_or(|last| located.offset + region.span.start as usize >= last)
        });
        if is_open {
            first = found;
        }
        if last.is_some() {
            break;
        }
        before = found;
    }
    first
}

/// Stops at an old segment after the edit that begins with the same state.
struct StopAtKnownState<'o, A: Attachment> {
    old: &'o Tree<A>,
    splice: Splice,
    /// The next old segment, and its old document offset.
    next: usize,
    offset: usize,
    stopped: &'o mut usize,
}

impl<A: Attachment> StopCondition for StopAtKnownState<'_, A> {
    fn stops_at(&mut self, offset: usize, state: &ScannerState) -> bool {
        let Some(old_offset) = (offset + self.splice.removed).checked_sub(self.splice.inserted) else {
            return false;
        };
        while let Some(segment) = self.old.get(self.next)
            && self.offset <= old_offset
        {
            // Text at the document's start was parsed without its byte order mark.
            if self.offset == old_offset && self.offset >= self.splice.old_end() && self.offset > 0 {
                let is_known = match &segment.start {
                    Some(known) => known.as_ref() == state,
                    None => state.is_default(),
                };
                if is_known {
                    *self.stopped = self.next;
                }
                return is_known;
            }
            self.offset += segment.len as usize;
            self.next += 1;
        }
        false
    }
}
