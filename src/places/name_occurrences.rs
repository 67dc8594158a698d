//! Occurrences of ids and tool names, for features that navigate between occurrences of one name.
//!
//! Ids are compared among tool fences, among the records of a document (formats.md §3.4: "all
//! records of a document with one id are one tool use"), or in a conversation of a message log.

use std::ops::Range;

use crate::call::Block;
use crate::call::pairing::Pairing;
use crate::document::Document;
use crate::document::LocatedBlock;
use crate::json::non_json::is_quote;
use crate::json::{escaped, quote, quote_like};
use crate::never::OrNever;
use crate::segments::conversations::{ConversationKey, Conversations};
use crate::segments::data::DocumentSegment;
use crate::syntax::SegmentKind;
use crate::text::DocumentEdit;

/// The kind of a named item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedItem {
    /// A tool fence, named by its id.
    Fence,
    /// The tool use of all records with one id.
    Records,
    /// A tool.
    Tool,
}

/// An occurrence of a name.
#[derive(Clone, Debug)]
pub struct NameOccurrence<'d> {
    /// The kind of the named item.
    pub named: NamedItem,
    /// The name, decoded; never empty.
    pub text: &'d str,
    /// The range of the name with its quotes, in document offsets.
    pub written: Range<usize>,
    /// The range of the name without quotes.
    pub range: Range<usize>,
    /// The block that contains it, in its document or in [`Document::delta_text`].
    pub at: LocatedBlock<'d>,
    /// True if it is part of a log's delta text, and so written inside of a JSON string.
    pub is_in_record_text: bool,
    /// True if its segment belongs to [`Document::delta_text`].
    pub is_in_delta_text: bool,
}

impl NameOccurrence<'_> {
    /// True if it is part of the block `at` of its document, or of [`Document::delta_text`].
    pub fn is_in(&self, at: &LocatedBlock<'_>, is_in_delta_text: bool) -> bool {
        self.is_in_delta_text == is_in_delta_text
            && (self.at.segment, self.at.index) == (at.segment, at.index)
    }

    /// The edit of `document`, which it is in, that writes `new` instead of it.
    pub fn renamed(&self, document: &Document, new: &str) -> DocumentEdit {
        if document.is_number_in_json(&self.written) {
            let text = if is_number(new) { new.to_owned() } else { quote(new) };
            return (self.written.clone(), text);
        }
        // Only a string of JSON is written with quotes; tagged text has names beside its JSON, too.
        let is_in_json = self.written != self.range;
        let text = match crate::dialect::by_index(self.at.block.dialect) {
            Some(dialect) if !is_in_json && self.is_in_record_text => escaped(&(dialect.write_name)(new)),
            Some(dialect) if !is_in_json => (dialect.write_name)(new),
            _ => quote_like(&document.text().slice(self.written.clone()), new),
        };
        (self.written.clone(), text)
    }
}

/// Maximum length of the white space around a number of JSON.
const MOST_BLANK: usize = 256;

/// A filter of occurrences by kind, name and range.
type OccurrenceFilter<'w> = dyn Fn(NamedItem, &str, &Range<usize>) -> bool + 'w;

impl Document {
    /// The edits that rename the tool in the other parts of a tool use, when its name at the byte
    /// `at` becomes `new`. Parts with a different name stay.
    pub fn renamed_beside(&self, at: usize, new: &str) -> Vec<DocumentEdit> {
        let is_tool = |name: &NameOccurrence<'_>| name.named == NamedItem::Tool;
        let Some(name) = self.name_occurrence_at(at).filter(is_tool) else { return Vec::new() };
        let is_in_delta_text = name.is_in_delta_text;
        let Some(read) = (if is_in_delta_text { self.delta_text() } else { Some(self) }) else {
            return Vec::new();
        };
        let uses = read.paired_uses();
        let block = uses.blocks_of_segments(name.at.segment..name.at.segment + 1).start + name.at.index;
        let tool_use = uses.use_of(block).and_then(|found| uses.uses.get(found));
        let parts = tool_use.into_iter().flat_map(|found| uses.parts(found));
        let others = parts
            .filter(|part| part.block.name() == Some(name.text) && !name.is_in(part, is_in_delta_text))
            .filter_map(|part| Some(part.absolute(part.block.name_span()?)));
        let places = match is_in_delta_text {
            true => self.ranges_of_delta_text(others),
            false => others.collect(),
        };
        let names = places.into_iter().filter_map(|place| self.name_occurrence_at(place.start));
        names.filter(is_tool).map(|other| other.renamed(self, new)).collect()
    }

    /// The occurrence that contains the byte `at`, or starts or ends there.
    pub fn name_occurrence_at(&self, at: usize) -> Option<NameOccurrence<'_>> {
        let located = self.segments_of_blocks_at(at).into_iter().filter(|_| self.is_active());
        let is_there = |written: &Range<usize>| written.start <= at && at <= written.end;
        let mentions = located.flat_map(|located| {
            let mut mentions = self.occurrences_in(&located, &|_, _, written| is_there(written));
            let occurrences = self.occurrences_in_delta_text(&located);
            mentions.extend(occurrences.into_iter().filter(|mention| is_there(&mention.written)));
            mentions
        });
        // Of two adjacent occurrences, the one that begins at `at`.
        mentions.max_by_key(|mention| mention.written.start)
    }

    /// All occurrences of the name `text` of the kind `named`, in order. Takes time linear in their
    /// number for ids, and in the number of segments for tools.
    pub fn occurrences_of(&self, named: NamedItem, text: &str) -> Vec<NameOccurrence<'_>> {
        let is_same: &OccurrenceFilter<'_> = &|it, other, _| it == named && other == text;
        let pairings: &[Pairing] = match named {
            NamedItem::Fence => &[Pairing::SelfContained],
            NamedItem::Records => &[Pairing::ById, Pairing::InConversation],
            NamedItem::Tool => return self.occurrences_where(is_same),
        };
        let in_pairing = |pairing: &Pairing| self.segments_with_id(*pairing, text);
        let mut segments: Vec<usize> = pairings.iter().flat_map(in_pairing).collect();
        segments.sort_unstable();
        segments.dedup();
        let located = segments.into_iter().filter_map(|index| self.tree().locate(index));
        located.flat_map(|located| self.occurrences_in(&located, is_same)).collect()
    }

    /// The occurrences of the same name, in order; for ids, only the occurrences in the same
    /// conversation.
    pub fn occurrences_like(&self, occurrence: &NameOccurrence<'_>) -> Vec<NameOccurrence<'_>> {
        self.occurrences_in_conversation(occurrence.named, occurrence.text, self.conversation_of(occurrence))
    }

    /// [`Document::occurrences_of`]; for ids of records, only the occurrences in `conversation`.
    pub fn occurrences_in_conversation(
        &self,
        named: NamedItem,
        text: &str,
        conversation: ConversationKey,
    ) -> Vec<NameOccurrence<'_>> {
        let mut found = self.occurrences_of(named, text);
        if named == NamedItem::Records {
            let mut conversations = Conversations::default();
            found.retain(|other| {
                let other = self.conversation_in(&mut conversations, &other.at);
                other == conversation || other.is_repeatable() && conversation.is_repeatable()
            });
        }
        found
    }

    /// Returns an unused id: `like` with the next free number.
    pub fn free_id(&self, like: &str) -> String {
        let base = like.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u64 = like.get(base.len()..).and_then(|digits| digits.parse().ok()).unwrap_or(1);
        let gap = if base.len() == like.len() { "_" } else { "" };
        // Usually this is the next number. The growing steps skip dense numbering without testing
        // each number.
        let steps = (0..100).chain((0..60).map(|power| 100 + (1u64 << power))).chain(100..);
        steps
            .map(|step| number.wrapping_add(step))
            .map(|number| format!("{base}{gap}{number}"))
            .find(|id| !self.links().has_id(id) && id != like)
            .or_never()
    }

    /// The indices of the segments with a block of the id `id`, or of an id with the same hash, in
    /// order.
    pub(crate) fn segments_with_id(&self, pairing: Pairing, id: &str) -> Vec<usize> {
        self.links().segments_with_id(self.tree(), pairing, id)
    }

    /// The conversation that contains `occurrence`; the document itself, if it is in delta text.
    pub fn conversation_of(&self, occurrence: &NameOccurrence<'_>) -> ConversationKey {
        match occurrence.is_in_delta_text {
            true => ConversationKey::default(),
            false => self.conversation_in(&mut Conversations::default(), &occurrence.at),
        }
    }

    /// The conversation that contains a block.
    pub(crate) fn conversation_in(
        &self,
        conversations: &mut Conversations,
        at: &LocatedBlock<'_>,
    ) -> ConversationKey {
        let key = |located| conversations.key_of(self.context(), &located, at.block.conversation);
        self.tree().locate(at.segment).map(key).unwrap_or_default()
    }

    /// True if `id` is the fallback id of a tool fence without an id (formats.md §1:
    /// `tool-call-N`).
    pub fn is_fallback(&self, id: &str) -> bool {
        self.links().is_fallback(self.tree(), id)
    }

    /// The occurrences that the filter accepts, in order.
    fn occurrences_where(&self, wanted: &OccurrenceFilter<'_>) -> Vec<NameOccurrence<'_>> {
        let mut mentions = Vec::new();
        if !self.is_active() {
            return mentions;
        }
        // A plain walk: most segments with data have blocks, so a search would cost more.
        for located in self.tree().iter() {
            mentions.extend(self.occurrences_in(&located, wanted));
        }
        if let Some(delta_text) = self.delta_text() {
            mentions.extend(self.record_range(delta_text.occurrences_where(wanted)));
            mentions.sort_by_key(|mention| mention.written.start);
        }
        mentions
    }

    /// The accepted occurrences in one segment, which may have many: a fenced log is one segment.
    fn occurrences_in<'d>(
        &self,
        located: &DocumentSegment<'d>,
        wanted: &OccurrenceFilter<'_>,
    ) -> Vec<NameOccurrence<'d>> {
        let is_fence = matches!(located.segment.kind, SegmentKind::Fence(_));
        let mut mentions = Vec::new();
        for at in LocatedBlock::all_in(located) {
            let block = at.block;
            let pairing = block.pairing;
            let of_id = if pairing == Pairing::SelfContained { NamedItem::Fence } else { NamedItem::Records };
            // Where position pairs results with calls, an id is text that nothing refers to.
            let is_by_position = matches!(pairing, Pairing::EarlierCall { .. });
            let is_in_record_text = is_fence && is_by_position;
            let id = block.id().zip(block.id_span()).filter(|_| !is_by_position);
            for (named, name) in [(of_id, id), (NamedItem::Tool, block.name().zip(block.name_span()))] {
                let Some((text, span)) = name.filter(|(text, _)| !text.is_empty()) else { continue };
                let written = located.absolute(span);
                if !wanted(named, text, &written) {
                    continue;
                }
                let range = self.without_quotes(&written, block);
                let is_in_delta_text = false;
                mentions.push(NameOccurrence {
                    named,
                    text,
                    written,
                    range,
                    at,
                    is_in_record_text,
                    is_in_delta_text,
                });
            }
        }
        mentions
    }

    /// The occurrences in the delta text of the record `located`.
    fn occurrences_in_delta_text(&self, located: &DocumentSegment<'_>) -> Vec<NameOccurrence<'_>> {
        let len = located.segment.attachment.delta_text_len as usize;
        let Some(delta_text) = self.delta_text().filter(|_| len > 0) else { return Vec::new() };
        let start = self.tree().summary_before(located.index).attachment.delta_text_len;
        let first =
            delta_text.tree().segment_at(start).map_or(0, |first| delta_text.tree().head_of(first.index));
        let segments = delta_text.tree().iter_from(first).take_while(|segment| segment.offset < start + len);
        let is_in_range: &OccurrenceFilter<'_> =
            &|_, _, written| (start..start + len).contains(&written.start);
        self.record_range(
            segments.flat_map(|segment| delta_text.occurrences_in(&segment, is_in_range)).collect(),
        )
    }

    /// Converts occurrences in the delta text to ranges of the log.
    fn record_range<'d>(&self, occurrences: Vec<NameOccurrence<'d>>) -> Vec<NameOccurrence<'d>> {
        let places = self.ranges_of_delta_text(occurrences.iter().map(|mention| mention.written.clone()));
        let placed = occurrences.into_iter().zip(places).map(|(mention, written)| {
            let range = self.without_quotes(&written, mention.at.block);
            NameOccurrence { written, range, is_in_record_text: true, is_in_delta_text: true, ..mention }
        });
        placed.collect()
    }

    /// True if the occurrence at `written` is a number of JSON: the value of a member, or an item.
    pub fn is_number_in_json(&self, written: &Range<usize>) -> bool {
        let before = self.text().slice(written.start.saturating_sub(MOST_BLANK)..written.start);
        let behind = self.text().slice(written.end..self.text().len().min(written.end + MOST_BLANK));
        is_number(&self.text().slice(written.clone()))
            && before.trim_end().ends_with([':', '[', ','])
            && behind.trim_start().starts_with([',', '}', ']'])
    }

    /// The range `written` of `block` without its quotes, if it is a JSON string; in delta text the
    /// quotes are escaped.
    fn without_quotes(&self, written: &Range<usize>, block: &Block) -> Range<usize> {
        let text = self.text().slice(written.clone());
        let open = text.trim_start_matches('\\');
        let quote = open.chars().next().filter(|first| is_quote(*first));
        // Strings in a log are JSON strings, even if the object around them is unknown.
        let is_in_log = block.pairing == Pairing::InConversation && open.len() == text.len();
        let Some(quote) = quote.filter(|_| block.brace.is_some() || is_in_log) else {
            return written.clone();
        };
        let start = text.len() - open.len() + quote.len_utf8();
        let inner = text.get(start..).or_never();
        // The closing quote is escaped exactly if the opening one is.
        let escape = text.strip_suffix(open).unwrap_or_default();
        let closed = inner.strip_suffix(is_quote).unwrap_or(inner);
        let closed = closed.strip_suffix(escape).unwrap_or(closed);
        written.start + start..written.start + start + closed.len()
    }
}

/// True if `text` is a number of JSON.
fn is_number(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok()
}
