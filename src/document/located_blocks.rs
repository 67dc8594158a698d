//! The blocks of a document with their places and conversations, visited in order.

use std::ops::Range;

use crate::call::Block;
use crate::segments::ReadContext;
use crate::segments::conversations::{ConversationKey, Conversations};
use crate::segments::data::DocumentSegment;
use crate::syntax::LocatedSegment;
use crate::text::Span;

/// A block and its position.
#[derive(Clone, Copy, Debug)]
pub struct LocatedBlock<'d> {
    /// Index of its segment in the tree.
    pub segment: usize,
    /// Document offset of its segment, which its spans are relative to.
    pub offset: usize,
    /// Its index in the segment.
    pub index: usize,
    /// The block.
    pub block: &'d Block,
}

impl<'d> LocatedBlock<'d> {
    /// The block at `index` of a segment.
    pub fn new(located: &DocumentSegment<'d>, index: usize) -> Option<Self> {
        let block = located.data().blocks.get(index)?;
        Some(Self { segment: located.index, offset: located.offset, index, block })
    }

    /// The blocks of a segment, in order.
    pub fn all_in(located: &DocumentSegment<'d>) -> impl Iterator<Item = Self> + use<'d> {
        let LocatedSegment { index: segment, offset, .. } = *located;
        let blocks = located.data().blocks.iter().enumerate();
        blocks.map(move |(index, block)| Self { segment, offset, index, block })
    }

    /// The document range of `span`, of its segment.
    pub fn absolute(&self, span: Span) -> Range<usize> {
        span.range_at(self.offset)
    }
}

/// A block with the data by which it is paired.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConversationBlock<'d> {
    /// The block.
    pub at: LocatedBlock<'d>,
    /// True if anything but white space stands between the preceding block and this one.
    pub gap: bool,
    /// The conversation that it is part of.
    pub conversation: ConversationKey,
    /// The number of its message in the document.
    pub message: usize,
}

/// Visits the blocks of a document, one segment after the other.
#[derive(Default)]
pub(super) struct BlockCursor {
    conversations: Conversations,
    /// The conversation of the last block.
    last: Option<ConversationKey>,
    /// True if there is anything but white space after it.
    gap: bool,
    /// The number of messages in the segments before.
    messages: usize,
}

impl BlockCursor {
    /// A cursor that starts after this number of messages.
    pub fn after(messages: usize) -> Self {
        Self { messages, ..Self::default() }
    }

    /// The number of messages up to the last segment.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// Passes the blocks of the segment to `visit`.
    pub fn visit<'d>(
        &mut self,
        context: ReadContext<'_>,
        located: &DocumentSegment<'d>,
        visit: &mut dyn FnMut(ConversationBlock<'d>),
    ) {
        let Some(data) = &located.segment.attachment.data else {
            self.gap = true;
            return;
        };
        if data.blank {
            return;
        }
        for at in LocatedBlock::all_in(located) {
            let block = at.block;
            let conversation = self.conversations.key_of(context, located, block.conversation);
            let gap = self.gap || block.after_text || self.last != Some(conversation);
            self.last = Some(conversation);
            self.gap = false;
            let message = self.messages + data.messages_before(block);
            visit(ConversationBlock { at, gap, conversation, message });
        }
        self.messages += data.log().messages.len();
        self.gap |= data.ends_in_text;
    }
}

/// Passes the blocks to `visit`, in order.
pub(super) fn for_each_block<'d>(context: ReadContext<'d>, visit: &mut dyn FnMut(ConversationBlock<'d>)) {
    let mut cursor = BlockCursor::default();
    context.tree.iter().for_each(|located| cursor.visit(context, &located, visit));
}
