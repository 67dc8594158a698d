//! Decides which parts of an overview remain valid after an edit. Nearly every keystroke changes
//! only an argument, a result or prose: then all pairs are the same, and messages and sections only
//! move.
//!
//! Pairs refer to blocks by segment and index, so these indices and everything that is compared
//! while pairing must be unchanged. Messages and sections only move if every place in the damaged
//! segments is unchanged or moved by the edit.

use std::mem::discriminant;

use crate::call::{Conversation, ConversationPlace, MessageStart};
use crate::document::message_collector::kept_messages;
use crate::document::overview::Overview;
use crate::messages::content::MessageContent;
use crate::segments::ReadContext;
use crate::segments::data::{DocumentSegment, LogMessage, SegmentAttachment, SegmentData};
use crate::segments::language::Language;
use crate::syntax::{SegmentKind, Tree};
use crate::text::{Span, Splice};

/// An edit, which turned a document with the tree `old` into `new`.
pub(super) struct OverviewEdit<'d> {
    pub old: &'d Tree<SegmentAttachment>,
    pub new: ReadContext<'d>,
    /// The segments that were read again, as many as before.
    pub damaged: std::ops::Range<usize>,
    pub splice: Splice,
}

impl<'d> OverviewEdit<'d> {
    /// The parts of `overview`, of the previous version, that are kept.
    pub fn kept(&self, overview: &Overview) -> Overview {
        let has_same_arrays = || !self.old.summary().attachment.listed_messages || self.is_in_one_block();
        let keeps_pairs = overview.pairs().is_some_and(|pairs| !pairs.depends_on_text)
            && self.damaged().all(|(old, new)| self.pairs_alike(&old, &new))
            && has_same_arrays();
        // In a JSON document, the message around the edit may begin in an undamaged segment.
        let keeps_places = keeps_pairs
            && self.new.language != Language::Json
            && self.is_inside()
            && self.shows_same_programs()
            && self.damaged().all(|(old, new)| self.is_moved(&old, &new));
        overview.after(keeps_pairs, keeps_places.then_some(self.splice))
    }

    /// The damaged segments, before and after the edit.
    fn damaged(&self) -> impl Iterator<Item = (DocumentSegment<'d>, DocumentSegment<'d>)> {
        let [old, new] = [self.old, self.new.tree].map(|tree| tree.iter_from(self.damaged.start));
        old.zip(new).take(self.damaged.len())
    }

    /// True if the blocks of a segment pair as before.
    fn pairs_alike(&self, old: &DocumentSegment<'_>, new: &DocumentSegment<'_>) -> bool {
        let is_alike = |was: &SegmentData, is: &SegmentData| {
            let gaps = |data: &SegmentData| (data.blank, data.ends_in_text, data.blocks.len());
            let links = |data: &SegmentData| (data.log().thread_link, data.log().messages.len());
            gaps(was) == gaps(is)
                && links(was) == links(is)
                && was.blocks.iter().zip(&is.blocks).all(|(block, other)| {
                    block.pairs_like(other)
                        && was.messages_before(block) == is.messages_before(other)
                        && self.is_same((old, block.conversation), (new, other.conversation))
                })
        };
        let has_same_kind = match (&old.segment.kind, &new.segment.kind) {
            (SegmentKind::Json(old), SegmentKind::Json(new)) => old == new,
            (old, new) => discriminant(old) == discriminant(new),
        };
        has_same_kind
            && match (&old.segment.attachment.data, &new.segment.attachment.data) {
                (None, None) => true,
                (Some(was), Some(is)) => is_alike(was, is),
                _ => false,
            }
    }

    /// True if `conversation`, of a segment, is the same as `other` after the edit.
    fn is_same(
        &self,
        (old, conversation): (&DocumentSegment<'_>, Conversation),
        (new, other): (&DocumentSegment<'_>, Conversation),
    ) -> bool {
        let is_same_place = match (conversation.place, other.place) {
            (ConversationPlace::Array(start), ConversationPlace::Array(other)) => {
                self.is_moved_to(old.offset + start as usize, new.offset + other as usize)
            }
            (place, other) => place == other,
        };
        is_same_place && conversation.thread == other.thread
    }

    /// True if the edit is inside of one block, which contains no other blocks: the arrays of
    /// messages around the block are the same.
    fn is_in_one_block(&self) -> bool {
        let touched: Vec<_> = self
            .damaged()
            .flat_map(|(old, _)| spans_of(&old).map(move |span| span.range_at(old.offset)))
            .filter(|span| span.start <= self.splice.old_end() && self.splice.start <= span.end)
            .collect();
        matches!(touched.as_slice(), [span]
            if span.start < self.splice.start && self.splice.old_end() < span.end)
    }

    /// True if the edit touches neither end of the damaged segments: so the offsets of all other
    /// segments move as a whole or not at all.
    fn is_inside(&self) -> bool {
        let (start, end) = (self.old.offset_of(self.damaged.start), self.old.offset_of(self.damaged.end));
        start < self.splice.start && self.splice.old_end() < end
    }

    /// True if the same programs are recognized as before the edit.
    fn shows_same_programs(&self) -> bool {
        let [old, new] = [self.old, self.new.tree].map(|tree| tree.summary().attachment);
        (old.program_lines, old.speaker_counts) == (new.program_lines, new.speaker_counts)
    }

    /// True if sections and messages of a segment are the same, with their places moved.
    fn is_moved(&self, old: &DocumentSegment<'d>, new: &DocumentSegment<'d>) -> bool {
        let has_moved =
            |(span, other): (Span, Span)| self.is_moved_span((old.offset, span), (new.offset, other));
        self.begins_same_sections(old, new)
            && old.segment.lines == new.segment.lines
            && (old.segment.content_len == 0) == (new.segment.content_len == 0)
            && self.is_moved_to(old.offset, new.offset)
            && self.is_moved_to(old.content().end, new.content().end)
            && spans_of(old).zip(spans_of(new)).all(has_moved)
            && (messages_of(old).is_empty() || self.has_same_messages(old, new))
    }

    /// True if a segment has the same headings and message starts as before, none of them after the
    /// start of the edit unless all are after it.
    fn begins_same_sections(&self, old: &DocumentSegment<'d>, new: &DocumentSegment<'d>) -> bool {
        let headings = |it: &DocumentSegment<'d>| it.segment.headings();
        let spans =
            headings(old).iter().map(|it| it.span).chain(message_starts_of(old).iter().map(|it| it.span));
        let is_before = |span: Span| span.range_at(old.offset).end < self.splice.start;
        headings(old) == headings(new)
            && message_starts_of(old) == message_starts_of(new)
            && (old.offset > self.splice.old_end() || spans.into_iter().all(is_before))
    }

    /// True if the messages that begin in a segment have the same content in both versions.
    fn has_same_messages(&self, old: &DocumentSegment<'_>, new: &DocumentSegment<'_>) -> bool {
        // Reading a long line would make the edit slow.
        if new.segment.len as usize >= self.new.settings.sizes.long_text {
            return false;
        }
        let Some(was) = old.segment.attachment.kept.known_messages() else { return false };
        let is = kept_messages(self.new, new);
        let found = messages_of(old).iter().zip(was).zip(messages_of(new).iter().zip(is));
        found.into_iter().all(|((message, was), (other, is))| {
            let at = (old.offset + message.start as usize, new.offset + other.start as usize);
            let header = |it: &LogMessage| (it.form, it.header.author);
            header(message) == header(other)
                && self.is_moved_to(at.0, at.1)
                && self.is_same((old, message.conversation), (new, other.conversation))
                && match (was, is) {
                    (Some(was), Some(is)) => self.is_moved_message((at.0, was), (at.1, is)),
                    // No message of a line or fence ends in another segment: it cannot be read.
                    (None, None) => true,
                    _ => false,
                }
        })
    }

    /// True if the message `is` at `new_at` has the same content as `was` at `at`, apart from moved
    /// places.
    fn is_moved_message(
        &self,
        (at, was): (usize, &MessageContent),
        (new_at, is): (usize, &MessageContent),
    ) -> bool {
        let mut moved = MessageContent { len: was.len, ..is.clone() };
        moved.texts.iter_mut().zip(&was.texts).for_each(|(text, old)| text.span = old.span);
        let spans = was.texts.iter().zip(&is.texts);
        *was == moved
            && self.is_moved_to(at + was.len, new_at + is.len)
            && spans.into_iter().all(|(old, new)| self.is_moved_span((at, old.span), (new_at, new.span)))
    }

    fn is_moved_span(&self, (at, old): (usize, Span), (new_at, new): (usize, Span)) -> bool {
        let (old, new) = (old.range_at(at), new.range_at(new_at));
        self.is_moved_to(old.start, new.start) && self.is_moved_to(old.end, new.end)
    }

    fn is_moved_to(&self, old: usize, new: usize) -> bool {
        self.splice.moved(old) == Some(new)
    }
}

/// The spans of the blocks of a segment.
fn spans_of<'d>(located: &DocumentSegment<'d>) -> impl Iterator<Item = Span> + use<'d> {
    located.data().blocks.iter().filter_map(|block| block.span)
}

/// The lines that begin messages in a segment of text.
fn message_starts_of<'d>(located: &DocumentSegment<'d>) -> &'d [MessageStart] {
    &located.data().rare().message_starts
}

/// The messages that begin in a segment.
fn messages_of<'d>(located: &DocumentSegment<'d>) -> &'d [LogMessage] {
    &located.data().log().messages
}
