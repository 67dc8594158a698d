//! Reads of a long line of a log, or of a long fence, what an edit inside of one message changes.

use std::ops::Range;
use std::sync::Arc;

use crate::call::{Block, JsonContainer};
use crate::diagnostic::Code;
use crate::document::block_unit::{BlockUnit, ReadContext};
use crate::document::json_objects::{EditedUse, InnerEdit};
use crate::document::kept::KeptReads;
use crate::document::secrets::{SecretSpan, secrets_in_range, secrets_of};
use crate::document::segment_data::{BlankText, LogMessage, RareSegmentData, SegmentAttachment, SegmentData};
use crate::document::segment_reader::SegmentReader;
use crate::json::MAX_FAULTS;
use crate::syntax::{Damage, FenceHead, LocatedSegment, SegmentKind, Tree};
use crate::text::{Span, Splice};

/// A long line of a log, or a long fence: messages that one segment stores.
struct LongMessages<'t> {
    /// The line, or the head of the fence.
    segment: LocatedSegment<'t, SegmentAttachment>,
    /// The range of its JSON, from the start of the segment on.
    range: Range<usize>,
}

impl<'t> LongMessages<'t> {
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
        (range.len() >= context.settings.sizes.long_messages).then_some(Self { segment, range })
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
pub(super) fn is_in_long_messages(context: ReadContext<'_>, at: usize) -> bool {
    LongMessages::at(context, at).is_some()
}

/// `damage` of a log without the line before the edit, which was only scanned again because its end
/// might have changed.
pub(super) fn without_line_before(
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

/// The secrets of the line or of the head of the fence after `edit`, where `old` were those before.
fn edited_secrets(
    new: ReadContext<'_>,
    messages: &LongMessages<'_>,
    edit: &InnerEdit,
    old: &[SecretSpan],
) -> Box<[SecretSpan]> {
    let LocatedSegment { index, offset, segment, .. } = messages.segment;
    // Of a fence, only the first part is in its head; and those beyond the limit are not known.
    if segment.kind != SegmentKind::Line || old.len() >= MAX_FAULTS {
        return new.tree.locate(index).map(|line| secrets_of(new, &line)).unwrap_or_default();
    }
    // No secret has a brace, so none begins or ends in another message.
    let shift = messages.range.start - offset;
    let (before, after) = edit.message();
    let found = secrets_in_range(new, offset, shift + after.start..shift + after.end);
    let start_of = |it: &&SecretSpan| (it.span.start as usize).saturating_sub(shift);
    let kept_before = old.iter().filter(|it| start_of(it) < before.start).copied();
    let kept_behind = old.iter().filter(|it| start_of(it) >= before.end);
    let moved = kept_behind.map(|it| SecretSpan { span: edit.placed(it.span), ..*it });
    kept_before.chain(found).chain(moved).take(MAX_FAULTS).collect()
}

/// The line or the head of the fence around `splice` by its index, with its data after that edit;
/// `None` if it must be read as a whole. Its blocks keep their links.
pub(super) fn edited_messages(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    damage: &Damage,
    splice: Splice,
) -> Option<(usize, SegmentAttachment)> {
    let messages = LongMessages::at(old, splice.start)?;
    let attachment = &messages.segment.segment.attachment;
    let data = attachment.data.as_deref()?;
    let rare = data.rare.as_deref()?;
    // Blocks without spans are records of streams.
    if data.protocol.is_some() || data.blocks.is_empty() || data.blocks.iter().any(|it| it.span.is_none()) {
        return None;
    }
    if !messages.is_same_in(new.tree, damage, splice) {
        return None;
    }
    let edit = InnerEdit::find(old, new, data, &messages.range, splice)?;
    let has_line_fault =
        || data.diagnostics().iter().any(|it| matches!(it.code, Code::BrokenLine | Code::LineSeparator));
    if messages.segment.segment.kind == SegmentKind::Line && (!edit.is_sound || has_line_fault()) {
        return None;
    }
    let reread = match &edit.tool_use {
        Some(_) if rare.has_lists => return None,
        Some(tool_use) => reread(old, new, data, tool_use)?,
        None => SegmentData::default(),
    };
    let place = |span: Span| edit.placed(span);
    let move_block = |block: &Block| {
        let mut moved = block.placed(place);
        moved.conversation = edit.conversation(block.conversation);
        moved
    };
    let move_container = |it: &JsonContainer| JsonContainer { span: place(it.span), ..*it };
    let move_message = |message: &LogMessage| LogMessage {
        start: edit.moved(message.start),
        conversation: edit.conversation(message.conversation),
        ..*message
    };
    let move_blank = |blank: &BlankText| BlankText {
        start: edit.moved(blank.start),
        conversation: edit.conversation(blank.conversation),
    };
    let index = messages.segment.index;
    let block_span = |block: &Block| block.span.unwrap_or_default();
    let rare = RareSegmentData {
        diagnostics: edit
            .replaced(&rare.diagnostics, reread.diagnostics(), |it| it.span, |it| it.moved(place))
            .collect(),
        secrets: edited_secrets(new, &messages, &edit, &rare.secrets),
        containers: edit
            .replaced(&rare.containers, reread.containers(), |it| it.span, move_container)
            .collect(),
        messages: rare.messages.iter().map(move_message).collect(),
        blank_texts: rare.blank_texts.iter().map(move_blank).collect(),
        directives: rare.directives.clone(),
        turns: rare.turns.clone(),
        condensed: None,
        ..*rare
    };
    let data = SegmentData {
        blocks: edit.replaced(&data.blocks, &reread.blocks, block_span, move_block).collect(),
        rare: rare.shared(),
        ..*data
    };
    Some((index, SegmentAttachment { data: Some(Arc::new(data)), kept: KeptReads::default(), ..*attachment }))
}

/// The data of a tool use after an edit in it; `None` if the edit changes what rules on the
/// messages around it read.
fn reread(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    data: &SegmentData,
    tool_use: &EditedUse,
) -> Option<SegmentData> {
    let is_inside = |block: &&Block| block.span.is_some_and(|span| tool_use.contains(span));
    let known = data.diagnostics().iter().filter(|diagnostic| tool_use.contains(diagnostic.span));
    let first = data.blocks.iter().find(is_inside)?;
    let read = |context: ReadContext<'_>, text: &str| {
        let mut reader = SegmentReader::default();
        let visit = &mut |unit: &BlockUnit<'_>| reader.read(context, unit);
        tool_use.visit(context, text, first.conversation, visit);
        reader.finish(false).data
    };
    let before = read(old, &tool_use.old)?;
    let mut after = read(new, &tool_use.new).map(Arc::unwrap_or_clone)?;
    let is_same = before.ends_in_text == after.ends_in_text
        && before.blocks.len() == data.blocks.iter().filter(is_inside).count()
        && before.diagnostics().iter().eq(known)
        && before.blocks.len() == after.blocks.len()
        && before.blocks.iter().zip(&after.blocks).all(|(one, other)| is_same_part(one, other));
    if let Some(block) = after.blocks.first_mut() {
        block.after_text = first.after_text;
    }
    is_same.then_some(after)
}

/// True if both are the same part of a request.
fn is_same_part(one: &Block, other: &Block) -> bool {
    let names = |block: &Block| [block.id(), block.name()].map(|name| name.map(|name| name.text.to_owned()));
    let marks = |block: &Block| (block.part, block.api, block.after_text);
    marks(one) == marks(other) && names(one) == names(other)
}
