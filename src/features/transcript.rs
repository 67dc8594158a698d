//! A document as a chat for display: messages, each with its text and its batches of tool uses
//! (formats.md §4).

use std::collections::HashMap;
use std::ops::Range;

use crate::call::template::without_tokens;
use crate::call::{ExpandedToolUse, MessageRole, UseCounts, label_of_batch};
use crate::document::{Document, Language, LocatedBlock, PairedUse, PairedUses, SectionKind};
use crate::places::{DocumentPassage, OmittedBlock, RangeMapper, without_bare_marks};

mod changes;
mod log;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptMessage {
    /// The role; `None` for content outside of messages.
    pub role: Option<MessageRole>,
    /// The name as written; empty if there is none.
    pub name: String,
    /// The range, in document offsets.
    pub range: Range<usize>,
    /// The parts, in order.
    pub items: Vec<MessagePart>,
}

impl TranscriptMessage {
    /// The name above it; empty if it has none.
    pub fn heading(&self) -> &str {
        match (self.name.as_str(), self.role) {
            ("", Some(MessageRole::Assistant)) => "Assistant",
            (name, _) => name,
        }
    }
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessagePart {
    /// Markdown, and its range in the document.
    Text(String, Range<usize>),
    /// Reasoning of a model as Markdown, and its range in the document.
    Thinking(String, Range<usize>),
    /// A batch of tool uses, or a single one.
    Tools(ToolUseGroup),
}

/// A batch of tool uses, or a single one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUseGroup {
    /// The label; for a single tool use, its call and result.
    pub label: String,
    /// The counts.
    pub counts: UseCounts,
    /// The range, in document offsets.
    pub range: Range<usize>,
    /// The tool uses, in order.
    pub entries: Vec<ExpandedToolUse>,
}

/// The messages of `document`, in order. Parses long results again; otherwise takes time linear in
/// the document's length.
///
/// A log is one message of the assistant, with the delta text as its text.
pub fn messages(document: &Document) -> Vec<TranscriptMessage> {
    messages_up_to(document, usize::MAX)
}

/// Like [`messages`]; of a message log only the messages up to about `most` bytes of text, followed
/// by a note.
pub fn messages_up_to(document: &Document, most: usize) -> Vec<TranscriptMessage> {
    if document.has_messages() && document.delta_text().is_none() {
        return log::messages(&document.assume_transcript(), most);
    }
    let role = (document.language() == Language::Log).then_some(MessageRole::Assistant);
    let mut messages = vec![TranscriptMessage { role, name: String::new(), range: 0..0, items: Vec::new() }];
    for passage in document.passages(&cuts) {
        let item = match passage {
            DocumentPassage::Item(TranscriptMark::Message(message)) => {
                messages.push(message);
                continue;
            }
            DocumentPassage::Item(TranscriptMark::Tools(tools)) => MessagePart::Tools(tools),
            DocumentPassage::Text(text, range) => {
                MessagePart::Text(without_tokens(without_bare_marks(&text)), range)
            }
        };
        messages.last_mut().map(|message| message.items.push(item)).unwrap_or_default();
    }
    let mut end = document.text().len();
    for message in messages.iter_mut().rev() {
        message.range.end = std::mem::replace(&mut end, message.range.start);
    }
    // There may be no content before the first message, between messages and in logs.
    let says_something =
        |item: &MessagePart| !matches!(item, MessagePart::Text(text, _) if text.trim().is_empty());
    messages.retain(|message| !message.name.is_empty() || message.items.iter().any(says_something));
    messages
}

/// Removes the items of `messages` that do not touch `part`, and messages without remaining items.
/// Returns the number of batches before the first remaining one.
pub fn keep_part(messages: &mut Vec<TranscriptMessage>, part: &Range<usize>) -> usize {
    let touches = |range: &Range<usize>| range.start <= part.end && range.end >= part.start;
    let batches = messages.iter().flat_map(|message| &message.items).filter_map(|item| match item {
        MessagePart::Tools(tools) => Some(&tools.range),
        MessagePart::Text(..) | MessagePart::Thinking(..) => None,
    });
    let before = batches.filter(|range| range.end < part.start).count();
    messages.retain_mut(|message| {
        message.items.retain(|item| match item {
            MessagePart::Text(_, range) | MessagePart::Thinking(_, range) => touches(range),
            MessagePart::Tools(tools) => touches(&tools.range),
        });
        touches(&message.range)
    });
    before
}

/// A placeholder in the text.
enum TranscriptMark {
    /// A batch or a tool use.
    Tools(ToolUseGroup),
    /// Start of a message.
    Message(TranscriptMessage),
}

/// The placeholders of the blocks of `document`: a batch at its first block, every other tool use
/// at its own; and the starts of messages.
fn cuts(document: &Document, place: RangeMapper<'_>) -> Vec<OmittedBlock<TranscriptMark>> {
    let uses = document.uses_in_text();
    let builder =
        MessageBuilder { document, uses: &uses, entries: entries(document, &uses, place), mapper: place };
    let mut cuts = beginnings(document);
    let mut next = 0;
    for batch in &uses.batches {
        cuts.extend((next..batch.blocks.start).filter_map(|block| builder.single(block)));
        next = batch.blocks.end;
        // The results of earlier calls are shown with their calls.
        let begins_here = |tool_use: &&PairedUse| tool_use.parts.first() >= Some(&batch.blocks.start);
        let shown: Vec<&PairedUse> = uses.uses_in(batch.blocks.clone()).filter(begins_here).collect();
        let range = uses.range_of_blocks(&batch.blocks, |at| range_of(document, at));
        let Some(range) = range else { continue };
        let item = || TranscriptMark::Tools(builder.tools(&shown, range.clone()));
        let item = (!shown.is_empty()).then(item);
        cuts.push(OmittedBlock { range, item });
    }
    cuts.extend((next..uses.block_count()).filter_map(|block| builder.single(block)));
    cuts.sort_by_key(|cut| cut.range.start);
    cuts
}

/// The starts of messages: role lines, whose names are not part of the text, and the document's own
/// headings that end a message.
fn beginnings(document: &Document) -> Vec<OmittedBlock<TranscriptMark>> {
    let mut cuts = Vec::new();
    let mut turn_end = None;
    let cursor = &mut document.cursor();
    for section in document.sections() {
        let start = section.range.start;
        let (role, name, text) = match section.kind {
            SectionKind::Message(role, text) => {
                turn_end = Some(section.range.end);
                (Some(role), section.author(cursor), text)
            }
            SectionKind::Heading if turn_end.is_some_and(|end| end <= start) => {
                turn_end = None;
                (None, String::new(), start)
            }
            SectionKind::Heading => continue,
        };
        let name = name.trim().to_owned();
        let message = TranscriptMessage { role, name, range: start..start, items: Vec::new() };
        cuts.push(OmittedBlock { range: start..text, item: Some(TranscriptMark::Message(message)) });
    }
    cuts
}

/// The display of each tool use, by its first part. Computed together, so that each block is parsed
/// again at most once.
fn entries(
    document: &Document,
    uses: &PairedUses<'_>,
    place: RangeMapper<'_>,
) -> HashMap<usize, ExpandedToolUse> {
    let all: Vec<&PairedUse> = uses.uses.iter().collect();
    let mut changes = changes::changes(document, uses);
    let entries = all.iter().zip(document.entries(uses, &all)).filter_map(|(tool_use, entry)| {
        let first = tool_use.parts.first().copied()?;
        let (range, changes) = (place(entry.range.clone()), changes.remove(&first));
        Some((first, ExpandedToolUse { range, changes, ..entry }))
    });
    entries.collect()
}

/// The range of a block with all that stands around it and is no text.
fn range_of(document: &Document, at: &LocatedBlock<'_>) -> Range<usize> {
    document.with_markup(at.block, document.outer_range_of(at))
}

struct MessageBuilder<'d> {
    document: &'d Document,
    uses: &'d PairedUses<'d>,
    entries: HashMap<usize, ExpandedToolUse>,
    mapper: RangeMapper<'d>,
}

impl MessageBuilder<'_> {
    /// The placeholder of a block outside of batches: the tool use that begins there, or a result
    /// of an earlier one.
    fn single(&self, block: usize) -> Option<OmittedBlock<TranscriptMark>> {
        let tool_use = self.uses.uses.get(self.uses.use_of(block)?)?;
        let range = range_of(self.document, &self.uses.block(block)?);
        if tool_use.parts.first() != Some(&block) {
            return Some(OmittedBlock { range, item: None });
        }
        let item = self.tools(&[tool_use], range.clone());
        Some(OmittedBlock { range, item: Some(TranscriptMark::Tools(item)) })
    }

    fn tools(&self, shown: &[&PairedUse], range: Range<usize>) -> ToolUseGroup {
        let counts = UseCounts::of(shown.iter().map(|tool_use| tool_use.status));
        let entry = |tool_use: &&PairedUse| self.entries.get(tool_use.parts.first()?).cloned();
        let label = match shown {
            [tool_use] => self.uses.label_of(tool_use).to_string(),
            _ => label_of_batch(counts),
        };
        let range = (self.mapper)(self.document.without_line_ends(range));
        ToolUseGroup { label, counts, range, entries: shown.iter().filter_map(entry).collect() }
    }
}

#[cfg(test)]
mod tests;
