//! Reads only the edited message of a long line of a log, or of a long fence.

use std::ops::Range;
use std::sync::Arc;

use super::{LongText, secrets_after};
use crate::call::{Block, Conversation, JsonContainer};
use crate::diagnostic::Code;
use crate::segments::block_unit::{BlockUnit, ReadContext};
use crate::segments::data::{
    BlankText, LogMessage, LogSegmentData, RareSegmentData, SegmentAttachment, SegmentData, shared,
};
use crate::segments::json_objects::InnerEdit;
use crate::segments::kept::KeptReads;
use crate::segments::reader::SegmentReader;
use crate::syntax::SegmentKind;
use crate::text::{Span, Splice};

/// The index of the segment of `messages`, with its data after the edit `splice` of one of them;
/// `None` if it must be read as a whole. The links of its blocks are unchanged.
pub(super) fn edited_messages(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    messages: &LongText<'_>,
    splice: Splice,
) -> Option<(usize, SegmentAttachment)> {
    let attachment = &messages.segment.segment.attachment;
    let data = attachment.data();
    let (log, rare) = (data.log(), data.rare());
    // Blocks without spans are records of streams.
    if data.protocol.is_some() || data.blocks.is_empty() || data.blocks.iter().any(|it| it.span.is_none()) {
        return None;
    }
    let edit = InnerEdit::find(old, new, data, &messages.range, splice)?;
    let has_line_fault =
        || data.rare().diagnostics.iter().any(|it| matches!(it.code, Code::BrokenLine | Code::LineSeparator));
    if messages.segment.segment.kind == SegmentKind::Line && (!edit.is_valid || has_line_fault()) {
        return None;
    }
    let read = |context, text| read(context, &edit, text, messages.segment.segment.kind == SegmentKind::Line);
    let (mut before, mut after) = (read(old, &edit.old), read(new, &edit.new));
    if !has_same_parts(&before, &after) || rare.has_lists && !before.blocks.is_empty() {
        return None;
    }
    let start_of_block = |block: &Block| block.span.unwrap_or_default().start;
    let (message, _) = edit.message();
    let first = data.blocks.iter().find(|block| start_of_block(block) as usize >= message.start);
    // The first block also follows the text before the message.
    for block in [&mut before, &mut after].into_iter().filter_map(|read| read.blocks.first_mut()) {
        block.after_text = first.is_some_and(|first| first.after_text);
    }
    let moved = placed(data, &|span| edit.placed(span), &|conversation| edit.conversation(conversation));
    let parts = EditedParts { message, old: data, before, after, moved };
    let index = messages.segment.index;
    let log = LogSegmentData {
        messages: parts.spliced(|data| &data.log().messages, |it| it.start)?.into(),
        ..*log
    };
    let rare = RareSegmentData {
        diagnostics: parts.spliced(|data| &data.rare().diagnostics, |it| it.span.start)?.into(),
        secrets: secrets_after(old, new, messages, splice),
        containers: parts.spliced(|data| &data.rare().containers, |it| it.span.start)?.into(),
        blank_texts: parts.spliced(|data| &data.rare().blank_texts, |it| it.start)?.into(),
        directives: rare.directives.clone(),
        message_starts: rare.message_starts.clone(),
        summarized: None,
        ..*rare
    };
    let data = SegmentData {
        blocks: parts.spliced(|data| &data.blocks, start_of_block)?.into(),
        log: shared(log),
        rare: shared(rare),
        ..*data
    };
    Some((index, SegmentAttachment { data: Some(Arc::new(data)), kept: KeptReads::default(), ..*attachment }))
}

/// The data of a line or fence before and after an edit of a message.
struct EditedParts<'d> {
    /// The message before the edit.
    message: Range<usize>,
    old: &'d SegmentData,
    /// The data of the message alone, before and after the edit.
    before: SegmentData,
    after: SegmentData,
    /// The data of the line or fence before the edit, with all offsets moved to their places after
    /// it.
    moved: SegmentData,
}

impl EditedParts<'_> {
    /// `list` after the edit, in order: the items of the message are replaced. `None` if its old
    /// items differ when the message is read alone.
    fn spliced<T: Clone + PartialEq>(
        &self,
        list: fn(&SegmentData) -> &[T],
        start_of: fn(&T) -> u32,
    ) -> Option<Vec<T>> {
        let Range { start, end } = self.message;
        let count_before = |at: usize| list(self.old).partition_point(|it| (start_of(it) as usize) < at);
        let inside = count_before(start)..count_before(end);
        let is_alone = list(self.old).get(inside.clone()) == Some(list(&self.before));
        let (before, behind) = (list(&self.moved).get(..inside.start)?, list(&self.moved).get(inside.end..)?);
        is_alone.then(|| [before, list(&self.after), behind].concat())
    }
}

/// `data` with its offsets mapped by `place` and its conversations by `conversation`.
fn placed(
    data: &SegmentData,
    place: &dyn Fn(Span) -> Span,
    conversation: &dyn Fn(Conversation) -> Conversation,
) -> SegmentData {
    let start = |at: u32| place(Span { start: at, end: at }).start;
    let block = |it: &Block| {
        let mut moved = it.placed(place);
        moved.conversation = conversation(it.conversation);
        moved
    };
    let message = |it: &LogMessage| LogMessage {
        start: start(it.start),
        conversation: conversation(it.conversation),
        ..*it
    };
    let blank =
        |it: &BlankText| BlankText { start: start(it.start), conversation: conversation(it.conversation) };
    let container = |it: &JsonContainer| JsonContainer { span: place(it.span), ..*it };
    let log = LogSegmentData {
        messages: data.log().messages.iter().map(message).collect(),
        ..LogSegmentData::default()
    };
    let rare = RareSegmentData {
        diagnostics: data.rare().diagnostics.iter().map(|it| it.moved(place)).collect(),
        containers: data.rare().containers.iter().map(container).collect(),
        blank_texts: data.rare().blank_texts.iter().map(blank).collect(),
        ..RareSegmentData::default()
    };
    SegmentData {
        blocks: data.blocks.iter().map(block).collect(),
        ends_in_text: data.ends_in_text,
        evidence: data.evidence,
        log: shared(log),
        rare: shared(rare),
        ..SegmentData::default()
    }
}

/// The data of the edited message alone, with its text before or after the edit.
fn read(context: ReadContext<'_>, edit: &InnerEdit<'_>, text: &str, is_line: bool) -> SegmentData {
    let mut reader = SegmentReader::default();
    let visit = &mut |unit: &BlockUnit<'_>| reader.read(context, unit);
    let (found, ends_in_text) = edit.read(context, text, is_line, visit);
    reader.messages(found);
    let data = reader.finish(ends_in_text).data.unwrap_or_default();
    let (message, _) = edit.message();
    placed(&data, &|span| span.shifted(message.start), &|alone| edit.conversation_inside(alone))
}

/// True if both look the same to rules on the surrounding messages.
fn has_same_parts(one: &SegmentData, other: &SegmentData) -> bool {
    let names = |block: &Block| [block.id(), block.name()].map(|name| name.map(str::to_owned));
    let blocks = |data: &SegmentData| {
        let marks = |block: &Block| (block.part, block.api, block.after_text, names(block));
        data.blocks.iter().map(marks).collect::<Vec<_>>()
    };
    let messages = |data: &SegmentData| {
        let marks = |it: &LogMessage| (it.form, it.header, it.conversation.thread);
        data.log().messages.iter().map(marks).collect::<Vec<_>>()
    };
    let others = |data: &SegmentData| (data.rare().blank_texts.len(), data.ends_in_text, data.evidence);
    blocks(one) == blocks(other) && messages(one) == messages(other) && others(one) == others(other)
}
