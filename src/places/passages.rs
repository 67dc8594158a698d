//! A document as readers see it: text, with replacements for blocks.
//!
//! In Markdown it is the text around the blocks. In a stream log it is the delta text, with the
//! blocks between its pieces; the same holds for fenced logs, in place of the whole fence. In a
//! message log it is the text of the assistant; in a message log in a fence, the text of all
//! messages.

use std::ops::Range;

use crate::call::MessageRole;
use crate::call::pairing::Pairing;
use crate::document::{Document, LocatedBlock, Message, MessageText, PairedUses};
use crate::messages::content::TextKind;
use crate::never::OrNever;
use crate::segments::read;
use crate::syntax::SegmentKind;
use crate::text::Span;

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentPassage<T> {
    /// Text and its range in the document. In a log, the range extends from the first record to the
    /// last.
    Text(String, Range<usize>),
    /// The replacement of blocks.
    Item(T),
}

/// Blocks that are not shown as text.
#[derive(Clone, Debug)]
pub struct OmittedBlock<T> {
    /// Their range, in offsets of the document that contains them.
    pub range: Range<usize>,
    /// Its replacement; `None` if it is only removed.
    pub item: Option<T>,
}

/// Converts a range of the document that is visited to one of the requested document: these differ
/// for delta text.
pub type RangeMapper<'p> = &'p dyn Fn(Range<usize>) -> Range<usize>;

impl Document {
    /// The passages, in order, without empty texts. `cuts` finds the blocks of a document, in
    /// document order.
    pub fn passages<T>(
        &self,
        cuts: &dyn Fn(&Self, RangeMapper<'_>) -> Vec<OmittedBlock<T>>,
    ) -> Vec<DocumentPassage<T>> {
        let own = cuts(self, &|range| range);
        if self.language().is_prose() {
            return self.passages_around(own);
        }
        if self.has_messages() && self.delta_text().is_none() {
            return self.passages_of_messages(own);
        }
        let locations = self.delta_text_locations();
        let place = |range| locations.locate(range);
        let Some(delta_text) = self.delta_text() else {
            return own.into_iter().filter_map(to_item).collect();
        };
        // Blocks between two records follow the delta text of all preceding records.
        let between_records = own.into_iter().map(|cut| {
            let segment = self.tree().segment_at(cut.range.start).map_or(0, |located| located.index);
            let at = self.tree().summary_before(segment).attachment.delta_text_len;
            OmittedBlock { range: at..at, item: cut.item }
        });
        let mut all: Vec<OmittedBlock<T>> =
            cuts(delta_text, &place).into_iter().chain(between_records).collect();
        all.sort_by_key(|cut| cut.range.start);
        let passages = delta_text.passages_around(all).into_iter().map(|passage| match passage {
            DocumentPassage::Text(text, range) => {
                let (first, last) = (place(range.start..range.start), place(range.end - 1..range.end));
                DocumentPassage::Text(text, first.start..last.end.max(first.start))
            }
            item @ DocumentPassage::Item(_) => item,
        });
        passages.collect()
    }

    /// The text of the assistant in a message log, with the replacements between.
    fn passages_of_messages<T>(&self, cuts: Vec<OmittedBlock<T>>) -> Vec<DocumentPassage<T>> {
        let of_assistant = |message: &&Message| message.role == MessageRole::Assistant;
        let messages = self.messages().of_log().iter().filter(of_assistant);
        let texts = messages.flat_map(|message| &message.texts);
        let is_shown = |text: &&MessageText| text.kind == TextKind::Prose;
        let mut texts: Vec<&MessageText> = texts.filter(is_shown).collect();
        texts.sort_by_key(|text| text.order);
        let mut texts = texts.into_iter().peekable();
        let mut passages = Vec::new();
        let add_text = |text: &MessageText, passages: &mut Vec<_>| {
            let words = self.message_text(text, usize::MAX);
            match text.continues {
                true => add(&words, text.range.clone(), passages),
                false => passages.push(DocumentPassage::Text(words, text.range.clone())),
            }
        };
        for cut in cuts {
            while let Some(before) = texts.next_if(|text| text.order <= cut.range.start) {
                add_text(before, &mut passages);
            }
            passages.extend(cut.item.map(DocumentPassage::Item));
        }
        texts.for_each(|text| add_text(text, &mut passages));
        passages
    }

    /// The tool uses outside of the delta text of fenced logs.
    pub fn uses_in_text(&self) -> PairedUses<'_> {
        let is_fence = |at: &LocatedBlock<'_>| {
            self.tree().get(at.segment).is_some_and(|segment| matches!(segment.kind, SegmentKind::Fence(_)))
        };
        let is_in_text =
            |at: &LocatedBlock<'_>| !matches!(at.block.pairing, Pairing::EarlierCall { .. }) || !is_fence(at);
        PairedUses::pair(self, is_in_text)
    }

    /// The text around `cuts`, and their replacements.
    fn passages_around<T>(&self, cuts: Vec<OmittedBlock<T>>) -> Vec<DocumentPassage<T>> {
        let logs = self.fenced_logs();
        let (mut passages, mut at) = (Vec::new(), self.text().mark_len());
        for cut in cuts {
            self.add_text(at..cut.range.start, &logs, &mut passages);
            passages.extend(cut.item.map(DocumentPassage::Item));
            // A fence includes its last line end; its replacement does not.
            at = at.max(self.without_line_ends(cut.range).end);
        }
        self.add_text(at..self.text().len(), &logs, &mut passages);
        passages
    }

    fn add_text<T>(&self, range: Range<usize>, logs: &[FencedLog], passages: &mut Vec<DocumentPassage<T>>) {
        let mut at = range.start;
        let first = logs.partition_point(|log| log.range.end <= range.start);
        for log in logs.iter().skip(first).take_while(|log| log.range.start < range.end) {
            self.add_slice(at..log.range.start, passages);
            let from = log.pieces.partition_point(|(place, _)| place.start < range.start);
            let pieces = log.pieces.iter().skip(from).take_while(|(place, _)| place.start < range.end);
            pieces.for_each(|(place, text)| add(text, place.clone(), passages));
            at = log.range.end;
        }
        self.add_slice(at..range.end, passages);
    }

    fn add_slice<T>(&self, range: Range<usize>, passages: &mut Vec<DocumentPassage<T>>) {
        if range.start < range.end {
            add(&self.text().slice(range.clone()), range, passages);
        }
    }

    /// The fenced logs with tool uses, in order.
    fn fenced_logs(&self) -> Vec<FencedLog> {
        let uses = self.paired_uses();
        let is_log =
            |at: &&LocatedBlock<'_>| matches!(at.block.pairing, Pairing::ById | Pairing::InConversation);
        let mut segments: Vec<(usize, Pairing)> =
            uses.blocks().iter().filter(is_log).map(|at| (at.segment, at.block.pairing)).collect();
        segments.dedup();
        let log = |(index, pairing): (usize, Pairing)| {
            let located = self.tree().locate(index)?;
            let range = self.without_line_ends(self.tree().fence_at(&located)?.range);
            if pairing == Pairing::InConversation {
                return Some(FencedLog { pieces: self.fenced_messages(index, &range), range });
            }
            let pieces = read::delta_texts_in(self.context(), &located).into_iter();
            let place = |(span, text): (Span, String)| (span.range_at(located.offset), text);
            Some(FencedLog { range, pieces: pieces.map(place).collect() })
        };
        segments.into_iter().filter_map(log).collect()
    }

    /// The messages of the log in the fence of the segment at `index`, each under its name.
    fn fenced_messages(&self, index: usize, fence: &Range<usize>) -> Vec<(Range<usize>, String)> {
        let mut pieces = Vec::new();
        for message in self.messages_in(index..index + 1, usize::MAX).of_log() {
            // A message may begin with a tool use, which its name precedes.
            let start = message.range.start.saturating_sub(1);
            pieces.push((start..start, format!("\n\n**{}**", message.name())));
            let is_shown = |text: &&MessageText| text.kind != TextKind::Thinking;
            pieces.extend(message.texts.iter().filter(is_shown).map(|text| {
                let gap = if text.continues { "" } else { "\n\n" };
                (text.order..text.order, gap.to_owned() + &self.message_text(text, usize::MAX))
            }));
        }
        pieces.sort_by_key(|(place, _)| place.start);
        pieces.push((fence.end - 1..fence.end, "\n".to_owned()));
        pieces
    }
}

/// A fenced code block that is a log.
struct FencedLog {
    /// The range of the fence, in document offsets.
    range: Range<usize>,
    /// The texts in it, each with its place, in order.
    pieces: Vec<(Range<usize>, String)>,
}

fn to_item<T>(cut: OmittedBlock<T>) -> Option<DocumentPassage<T>> {
    cut.item.map(DocumentPassage::Item)
}

/// Appends text to the last passage if that is text, otherwise as a new passage.
fn add<T>(text: &str, range: Range<usize>, passages: &mut Vec<DocumentPassage<T>>) {
    if let Some(DocumentPassage::Text(before, place)) = passages.last_mut() {
        before.push_str(text);
        place.end = range.end;
    } else if !text.is_empty() {
        passages.push(DocumentPassage::Text(text.to_owned(), range));
    }
}

/// Blanks the quote and list markers that stand alone on the first and last lines of `text`: the
/// remains of the containers of a removed block. The lines stay, so that offsets remain valid.
pub fn without_bare_marks(text: &str) -> String {
    let is_bare = |line: &&str| {
        let is_rule = line.matches(['-', '*', '_']).count() >= 3;
        !is_rule && read::without_prefix(line).trim().is_empty()
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines.iter().take_while(|line| is_bare(line)).count();
    let last = lines.len() - lines.iter().rev().take_while(|line| is_bare(line)).count();
    let cleaned = lines.iter().enumerate().map(|(index, line)| {
        let end = line.trim_end_matches(['\n', '\r']).len();
        let from = if (first..last).contains(&index) { 0 } else { end };
        line.get(from..).or_never()
    });
    cleaned.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_container_marks_are_removed() {
        let check = |text: &str, expected: &str| assert_eq!(without_bare_marks(text), expected, "{text:?}");
        check("Look:\n\n> ", "Look:\n\n");
        check("> Look:\n>\n> ", "> Look:\n\n");
        check("\n>\n> more\n> - b\n", "\n\n> more\n> - b\n");
        check("\n\n- ", "\n\n");
        check("> ", "");
        check("\r\n> \r\nand\r\n", "\r\n\r\nand\r\n");
        check("a\n\n- - -\n", "a\n\n- - -\n");
        check("---\na\n***\n", "---\na\n***\n");
    }
}
