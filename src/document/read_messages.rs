//! Reads the messages of a document, of some segments, or at a place.

use std::ops::Range;

use crate::document::message_collector::MessageCollector;
use crate::document::messages::{Message, MessageText, Messages};
use crate::document::sections::{Section, SectionKind, sections_of};
use crate::document::{Document, Language};
use crate::syntax::SegmentKind;

/// Maximum number of segments that are searched for the message of a text.
const LOOKED_AT: usize = 16;

impl Document {
    /// The messages, with their conversations. Empty unless the document is
    /// [active](Document::is_active). Those of a summarized log have no texts.
    pub fn messages(&self) -> &Messages {
        match &self.summarized_uses {
            Some(log) => &log.messages,
            None => self.overview.messages_or(|| self.read_messages()),
        }
    }

    /// The sections of a text for people, in order of their starts. Empty unless the document is
    /// [active](Document::is_active).
    pub fn sections(&self) -> &[Section] {
        self.overview.sections_or(|| match self.is_active() && self.language.is_prose() {
            true => sections_of(self.context()),
            false => Vec::new(),
        })
    }

    /// Reads all messages, in time linear in their length.
    fn read_messages(&self) -> Messages {
        let own = self.sections().iter().filter_map(|section| match section.kind {
            SectionKind::Message(role, _) => Some((role, section.range.clone())),
            SectionKind::Heading => None,
        });
        self.messages_in(0..self.tree.len(), usize::MAX).with_own(own)
    }

    /// True if the document is itself a log with messages, as opposed to containing fences of them.
    pub fn has_messages(&self) -> bool {
        self.language != Language::Markdown && self.tree.summary().attachment.messages
    }

    /// The messages that begin in these segments, as if there were no other segments: at most
    /// `most` of them. Takes time linear in their length.
    pub fn messages_in(&self, segments: Range<usize>, most: usize) -> Messages {
        let mut collector = MessageCollector::new(most);
        if self.is_active() {
            collector.add_segments(self.context(), segments.clone());
        }
        let mut messages = collector.finish();
        let elements = if messages.of_log.is_empty() { Vec::new() } else { self.elements_in(segments) };
        if !elements.is_empty() {
            let texts = messages.of_log.iter_mut().map(|message| &mut message.texts);
            texts.for_each(|texts| self.split_texts(texts, &elements));
        }
        messages
    }

    /// The message whose text contains the byte `at`, with that text; in a line of a log the first
    /// message of the line, wherever `at` is in it; in Markdown the message of a fence.
    pub fn message_at(&self, at: usize) -> Option<(Message, Option<MessageText>)> {
        let here = self.tree.segment_at(at)?;
        let is_line = here.segment.kind == SegmentKind::Line;
        // A message begins in the segment itself; in Markdown, in the head of its fence; in JSON,
        // in one of the preceding segments.
        let head = self.tree.head_of(here.index);
        let mut before = head + 1;
        for _ in 0..if self.language == Language::Json { LOOKED_AT } else { 1 } {
            before = self.tree.previous_attached(before, |data| data.messages)?;
            if before != head && self.language == Language::Markdown {
                return None;
            }
            let Messages { of_log, .. } = self.messages_in(before..before + 1, usize::MAX);
            let holds = |text: &&MessageText| text.range.contains(&at);
            let text = of_log.iter().find_map(|found| Some((found, found.texts.iter().find(holds)?)));
            if let Some((message, text)) = text {
                return Some((message.clone(), Some(text.clone())));
            }
            if is_line && before == here.index {
                return of_log.into_iter().next().map(|message| (message, None));
            }
        }
        None
    }
}
