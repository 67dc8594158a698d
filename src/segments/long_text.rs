//! Edits in a long line of a log or a long fence: only the edited part is read, and all other data
//! of its segment are moved.
//!
//! The part is a message (`edited_messages.rs`), or an object, an array or some words of a string
//! in the payload of a `tool` fence (`edited_payload.rs`). Secrets are searched for around the
//! edit.

use std::ops::Range;

use crate::json::MAX_FAULTS;
use crate::rules::secrets::{NEARBY, is_shown_nearby};
use crate::segments::block_unit::ReadContext;
use crate::segments::data::{DocumentSegment, SegmentAttachment};
use crate::segments::secrets::{SecretSpan, secrets_of};
use crate::syntax::{Damage, FenceHead, LocatedSegment, SegmentKind, Tree};
use crate::text::{Span, Splice};

mod edited_messages;
mod edited_payload;

use edited_messages::edited_messages;
use edited_payload::edited_payload;

/// The index of the line, or of the head of the fence, around `splice`, with its data after the
/// edit; `None` if it must be read as a whole. The links of its blocks are unchanged.
pub(crate) fn edited_data(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    damage: &Damage,
    splice: Splice,
) -> Option<(usize, SegmentAttachment)> {
    let long = LongText::at(old, splice.start).filter(|long| long.is_same_in(new.tree, damage, splice))?;
    edited_messages(old, new, &long, splice).or_else(|| edited_payload(old, new, &long, splice))
}

/// The text of a long line of a log, or of a long fence.
struct LongText<'t> {
    /// The line, or the head of the fence.
    pub segment: DocumentSegment<'t>,
    /// The range of its JSON, from the start of the segment on.
    pub range: Range<usize>,
}

impl<'t> LongText<'t> {
    /// The long line or fence that contains the byte `at`.
    fn at(context: ReadContext<'t>, at: usize) -> Option<Self> {
        let tree = context.tree;
        let here = tree.segment_at(at)?;
        let (segment, range) = match here.segment.kind {
            SegmentKind::Line => {
                let range = here.content();
                (here, range)
            }
            SegmentKind::Fence(_) | SegmentKind::Body { .. } => {
                let head = tree.locate(tree.head_of(here.index))?;
                let fence = tree.fence_at(&head)?;
                (head, fence.range.start..fence.content.end)
            }
            _ => return None,
        };
        (range.len() >= context.settings.sizes.long_text).then_some(Self { segment, range })
    }

    /// True if the segment is the same in `new`, apart from the content that `splice` edits.
    fn is_same_in(&self, new: &Tree<SegmentAttachment>, damage: &Damage, splice: Splice) -> bool {
        let LocatedSegment { index, offset, segment, .. } = self.segment;
        match &segment.kind {
            SegmentKind::Fence(head) => new.locate(index).is_some_and(|other| {
                let end = new.fence_at(&other).map(|fence| fence.content.end + splice.removed);
                let is_head = matches!(&other.segment.kind, SegmentKind::Fence(it) if is_same_head(head, it));
                let is_same = is_head && other.offset == offset && other.segment.start == segment.start;
                is_same && end == Some(self.range.end + splice.inserted)
            }),
            _ => damage.old == (index..index + 1) && damage.new == damage.old,
        }
    }
}

fn is_same_head(one: &FenceHead, other: &FenceHead) -> bool {
    FenceHead { closing: other.closing, ..*one } == *other
}

/// True if edits at `at` need not read all of the line or fence there.
pub(crate) fn is_in_long_text(context: ReadContext<'_>, at: usize) -> bool {
    LongText::at(context, at).is_some()
}

/// `damage` of a log without the line before the edit, which was only scanned again because its end
/// might have changed.
pub(crate) fn without_line_before(
    old: &Tree<SegmentAttachment>,
    new: &mut Tree<SegmentAttachment>,
    mut damage: Damage,
    splice: Splice,
) -> Damage {
    let (start, new_start) = (damage.old.start, damage.new.start);
    let line_lens = |tree: &Tree<SegmentAttachment>, index: usize| {
        let segment = tree.get(index).filter(|segment| segment.kind == SegmentKind::Line);
        segment.map(|segment| (segment.len, segment.content_len))
    };
    let is_same = line_lens(old, start).is_some_and(|lens| line_lens(new, new_start) == Some(lens));
    if is_same && damage.old.len() > 1 && old.offset_of(start + 1) <= splice.start {
        let attachment = old.get(start).map(|line| line.attachment.clone());
        new.attach(new_start, attachment.into_iter().collect());
        damage.old.start += 1;
        damage.new.start += 1;
    }
    damage
}

/// The secrets of the line, or of the head of the fence, after the edit `splice`.
fn secrets_after(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    long: &LongText<'_>,
    splice: Splice,
) -> Box<[SecretSpan]> {
    let all = |it: LocatedSegment<'_, _>| secrets_of(&new.text.slice(it.range()), 0);
    let read = || new.tree.locate(long.segment.index).map(all).unwrap_or_default();
    secrets_around(old, new, &long.segment, splice).unwrap_or_else(read)
}

/// The secrets of the only damaged segment after the edit `splice`, if a search around it finds
/// them.
pub(crate) fn known_secrets(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    damage: &Damage,
    splice: Splice,
) -> Option<Box<[SecretSpan]>> {
    let is_one = damage.old.len() == 1 && damage.new == damage.old;
    let only = old.tree.locate(damage.old.start).filter(|_| is_one)?;
    secrets_around(old, new, &only, splice)
}

/// The secrets of the segment `located` after an edit, by a search around the edit; `None` if it
/// may concern text that is further away.
fn secrets_around(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    located: &DocumentSegment<'_>,
    splice: Splice,
) -> Option<Box<[SecretSpan]>> {
    let (range, known) = (located.range(), &located.data().rare().secrets);
    let moved = |at: usize| at + splice.inserted - splice.removed;
    let is_same = new.tree.locate(located.index)?.range().end == moved(range.end);
    let is_inside = range.start <= splice.start && splice.old_end() <= range.end;
    if !is_inside || !is_same || known.len() >= MAX_FAULTS {
        return None;
    }
    let start = old.text.floor_boundary(splice.start.saturating_sub(2 * NEARBY)).max(range.start);
    let end = old.text.floor_boundary(splice.old_end() + 2 * NEARBY).min(range.end);
    let (before, after) = (old.text.slice(start..end), new.text.slice(start..moved(end)));
    if !is_shown_nearby(&before) || !is_shown_nearby(&after) {
        return None;
    }
    let from = splice.start.saturating_sub(NEARBY + range.start);
    let to = splice.old_end() + NEARBY - range.start;
    let start_of = |it: &SecretSpan| it.span.start as usize;
    let kept_before = known.iter().filter(|it| start_of(it) < from).copied();
    let found = secrets_of(&after, start - range.start).into_iter();
    let found = found.filter(|it| (from..moved(to)).contains(&start_of(it)));
    let place = |it: &SecretSpan| {
        let start = moved(start_of(it));
        SecretSpan { span: Span::new(start, start + it.span.len()), ..*it }
    };
    let behind = known.iter().filter(|it| start_of(it) >= to).map(place);
    Some(kept_before.chain(found).chain(behind).take(MAX_FAULTS).collect())
}
