//! A document: text, tree, tool uses and messages as one value that is cheap to clone.

mod conversation_uses;
pub mod delta_text;
mod edited;
pub mod evidence;
pub mod fallback_ids;
mod json_text;
mod kept_overview;
pub mod links;
pub mod located_blocks;
pub mod log_uses;
pub mod message_collector;
pub mod message_text;
mod messages;
mod overview;
mod paired_uses;
mod pairs;
mod read_messages;
mod read_summarized;
mod renamed_calls;
mod repeated_calls;
mod repetitions;
mod sections;
mod sorted_set;
pub mod summarized;
pub mod summarized_uses;
#[cfg(test)]
mod tests;
mod tool_uses;
mod unchanged;
pub mod wide_hash;

use std::ops::Range;
use std::sync::Arc;

use crate::call::{Call, StreamProtocol};
use crate::config::Settings;
use crate::dialect::inline_of;
use crate::messages::tool_lists::ToolLists;
use crate::never::never;
use crate::segments::data::{DocumentSegment, SegmentAttachment, SegmentData};
use crate::segments::reader::SegmentReader;
use crate::segments::{DeltaRecord, ReadContext, json_objects, long_text, read};
use crate::syntax::{self, Attachment, InlineRules, SegmentKind, Tree};
use crate::text::{Encoding, Span, Splice, Text, TextChange, TextCursor};

pub use crate::messages::tool_lists::ToolList;
pub use crate::segments::language::{Language, begins_laid_out, is_record};
use kept_overview::OverviewEdit;
use links::{Collector, LinkContext, Links};
pub use located_blocks::LocatedBlock;
pub use messages::{Message, MessageText, Messages};
use overview::Overview;
pub use paired_uses::PairedUses;
pub use pairs::{LocatedBatch, PairedUse, Pairs};
pub use sections::{Section, SectionKind};
use summarized_uses::SummarizedUses;
pub(crate) use unchanged::UnchangedExtent;

/// Number of segments parsed before their data is attached to the tree; small enough to stay in
/// cache.
const READ_AT_ONCE: usize = 1 << 10;

/// A document: a value that edits change in place, without an effect on its clones, with which it
/// shares data. The locks inside guard values that are computed on demand.
#[derive(Clone, Debug)]
pub struct Document {
    text: Text,
    language: Language,
    settings: Arc<Settings>,
    role: DocumentRole,
    /// True if the document counts as a transcript without evidence: a copy of a transcript on
    /// which edits are tested.
    is_assumed: bool,
    tree: Tree<SegmentAttachment>,
    /// The stream protocol that a log was parsed as.
    protocol: Option<StreamProtocol>,
    /// The delta text of a stream log.
    delta_text: Option<Box<Document>>,
    /// The index of the blocks that refer to each other, with their diagnostics.
    links: Links,
    /// The lists of tools in the text that were read.
    tool_lists: ToolLists,
    /// The tool uses of a summarized log.
    summarized_uses: Option<Arc<SummarizedUses>>,
    /// The overview of this version; each change replaces it.
    overview: Overview,
}

/// The role of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocumentRole {
    /// A file or an editor's buffer.
    File,
    /// The delta text of a stream log: parsed for inline blocks only.
    DeltaText,
}

impl Document {
    /// Parses `text`.
    pub fn new(text: Text, language: Language, settings: Arc<Settings>) -> Self {
        Self::read(text, language, settings, DocumentRole::File)
    }

    fn read(text: Text, language: Language, settings: Arc<Settings>, role: DocumentRole) -> Self {
        let mut document = Self::unread(text, language, settings, role);
        document.tree = syntax::parse(&document.text, &rules_of(language, &document.settings));
        document.read_all();
        document
    }

    /// Parses the delta text of a stream log.
    fn delta_text_document(text: Text, settings: &Arc<Settings>) -> Self {
        Self::read(text, Language::Markdown, Arc::clone(settings), DocumentRole::DeltaText)
    }

    /// A document without segments.
    fn unread(text: Text, language: Language, settings: Arc<Settings>, role: DocumentRole) -> Self {
        Self {
            text,
            language,
            settings,
            role,
            is_assumed: false,
            tree: Tree::default(),
            protocol: None,
            delta_text: None,
            links: Links::default(),
            tool_lists: ToolLists::default(),
            summarized_uses: None,
            overview: Overview::default(),
        }
    }

    /// The same document, which counts as a transcript without evidence if `is_assumed`.
    fn assumed(self, is_assumed: bool) -> Self {
        Self { is_assumed, overview: Overview::default(), ..self }
    }

    /// Applies a change in client positions and parses the damaged segments again.
    pub fn edit(&mut self, edit: &TextChange, encoding: Encoding) {
        let splice = edit.to_splice(&self.text, encoding);
        self.apply(splice, &edit.text);
    }

    /// Applies a change in bytes, like [`Text::apply`], and parses the damaged segments again.
    pub fn apply(&mut self, splice: Splice, inserted: &str) {
        self.apply_with_unchanged(splice, inserted);
    }

    /// Like [`Document::apply`]. Returns the unchanged extent, or `None` if it is unknown.
    fn apply_with_unchanged(&mut self, splice: Splice, inserted: &str) -> Option<UnchangedExtent> {
        never!(self.is_summarized(), "summarized lines cannot be edited");
        let (overview, was_active) = (std::mem::take(&mut self.overview), self.is_active());
        let is_json = self.language == Language::Json;
        let has_context = is_json || long_text::is_in_long_text(self.context(), splice.start);
        let old_text = has_context.then(|| self.text.clone());
        self.text.apply(splice, inserted);
        let (mut tree, mut damage) =
            syntax::reparse(&self.tree, &self.text, splice, &rules_of(self.language, &self.settings));
        if self.language == Language::Log {
            damage = long_text::without_line_before(&self.tree, &mut tree, damage, splice);
        }
        // More is damaged in containers of JSON, and less in a long line of messages.
        let mut edited = None;
        let mut reader = SegmentReader::default();
        if let Some(old_text) = old_text {
            let old = ReadContext { text: &old_text, ..self.context() };
            let new = ReadContext { tree: &tree, ..self.context() };
            if is_json {
                (damage, reader.cursor) = json_objects::extend_damage(old, new, splice, damage);
            } else {
                edited = long_text::edited_data(old, new, &damage, splice);
                reader.known_secrets = long_text::known_secrets(old, new, &damage, splice);
            }
        }
        let first = self.tree.head_of(damage.old.start).min(tree.head_of(damage.new.start));
        let tail = self.tree.bytes().saturating_sub(self.tree.offset_of(damage.old.end));
        let mut unchanged =
            UnchangedExtent { prefix: self.tree.offset_of(first), suffix: tail, delta_text: (0, 0) };
        let damaged = self.delta_text.is_some().then(|| delta_text_range(&self.tree, damage.old.clone()));
        // The data of the damaged segments, and of the head of a fence whose body was edited.
        let was_body = self.tree.get(damage.old.start).is_some_and(is_body);
        let old = attachments_with_links(&self.tree, damage.old.clone());
        let old_tree = std::mem::replace(&mut self.tree, tree);
        let is_edited = edited.is_some();
        let joined = self.read_damaged(damage.new.clone(), edited, reader);
        self.links.update(&mut self.tree, &self.text, &old, damage.new.clone());
        let is_in_body = was_body || self.tree.get(damage.new.start).is_some_and(is_body);
        if !is_edited && is_in_body {
            let head = self.tree.head_of(damage.new.start.saturating_sub(usize::from(was_body)));
            let old = attachments_with_links(&self.tree, head..head + 1);
            self.read_range(head..head + 1, SegmentReader::default(), None);
            self.links.update(&mut self.tree, &self.text, &old, head..head + 1);
        }
        // In a log of another protocol, all records mean something else.
        if self.language == Language::Log {
            let protocol = self.tree.summary().attachment.protocol;
            if protocol != self.protocol {
                self.read_all();
                return None;
            }
            unchanged.delta_text = self.splice_delta_text(damaged, &joined);
        }
        // The parts of the overview that still hold.
        if !is_in_body && damage.old == damage.new && was_active == self.is_active() {
            let edit = OverviewEdit { old: &old_tree, new: self.context(), damaged: damage.new, splice };
            self.overview = edit.kept(&overview);
        }
        Some(unchanged)
    }

    /// Parses the same text with other settings.
    pub fn set_settings(&mut self, settings: Arc<Settings>) {
        let has_same_rules = self.settings.texts == settings.texts && self.settings.sizes == settings.sizes;
        self.settings = settings;
        if !has_same_rules {
            self.tree = syntax::parse(&self.text, &rules_of(self.language, &self.settings));
        }
        self.read_all();
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The settings that apply to the document.
    pub fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// The block tree, with the data of each segment.
    pub fn tree(&self) -> &Tree<SegmentAttachment> {
        &self.tree
    }

    /// The index of the blocks that refer to each other.
    pub(crate) fn links(&self) -> &Links {
        &self.links
    }

    /// The range of a block.
    pub fn range_of(&self, at: &LocatedBlock<'_>) -> Range<usize> {
        if let Some(span) = at.block.span {
            return span.range_at(at.offset);
        }
        let content_len = self.tree.get(at.segment).map_or(0, |segment| segment.content_len as usize);
        let line = self.text.slice(at.offset..at.offset + content_len);
        let line = line.trim_end_matches(['\n', '\r']).trim_end_matches([' ', '\t']);
        at.offset..at.offset + line.len()
    }

    /// Index of the segment in which the block around the start of segment `index` begins; `index`
    /// if no block contains it.
    pub fn head_of(&self, index: usize) -> usize {
        match self.language {
            Language::Json => json_objects::head_of(self.context(), index),
            Language::Markdown | Language::Org | Language::Log => self.tree.head_of(index),
        }
    }

    /// The segments in which the blocks begin that may contain the byte `at`, or end there.
    pub(crate) fn segments_of_blocks_at(&self, at: usize) -> Vec<DocumentSegment<'_>> {
        let Some(here) = self.tree.segment_at(at) else { return Vec::new() };
        let head = self.head_of(here.index);
        // In JSON, another block may begin in this segment, after the end of the one from the head.
        let own = Some(here.index).filter(|own| *own != head);
        // A block that ends at the start of the segment ends here, too.
        let before = (here.offset == at).then(|| head.checked_sub(1)).flatten();
        let segments = [Some(head), own, before.map(|before| self.head_of(before))];
        segments.into_iter().flatten().filter_map(|index| self.tree.locate(index)).collect()
    }

    /// `range` without trailing line ends, so that a cursor on the next line is outside of it.
    pub fn without_line_ends(&self, range: Range<usize>) -> Range<usize> {
        self.cursor().without_line_ends(range)
    }

    /// A cursor in the text.
    pub fn cursor(&self) -> TextCursor<'_> {
        TextCursor::new(&self.text)
    }

    /// The delta text of a stream log, as a document; [`Document::ranges_of_delta_text`] converts
    /// its ranges to ranges of this document.
    pub fn delta_text(&self) -> Option<&Document> {
        self.delta_text.as_deref()
    }

    /// Parses the blocks of the segment at `index` in full. Passes each call with its span,
    /// relative to the segment, to `visit`.
    pub fn visit_calls(&self, index: usize, visit: &mut dyn FnMut(Span, &Call<'_>)) {
        if let Some(located) = self.tree.locate(index) {
            read::visit_calls(self.context(), &located, visit);
        }
    }

    /// Converts ranges of [`Document::delta_text`], in order, to ranges of this document. Each
    /// range lies in the record in which it begins.
    pub fn ranges_of_delta_text(&self, ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
        let locations = self.delta_text_locations();
        ranges.into_iter().map(|range| locations.locate(range)).collect()
    }

    /// The record that contains the byte `at` of the delta text, or the last record.
    pub(crate) fn record_of_delta_text(&self, at: usize) -> Option<DeltaRecord> {
        let record = self.tree.find_attached(|summary| summary.delta_text_len > at);
        let (index, before) = record.or_else(|| self.last_delta_text())?;
        let located = self.tree.locate(index)?;
        let len = located.segment.attachment.summary().delta_text_len;
        let (literal, _) = read::delta_texts_in(self.context(), &located).into_iter().next()?;
        let range = before.delta_text_len..before.delta_text_len + len;
        Some(DeltaRecord::new(range, located.offset, &self.text.slice(located.content()), literal))
    }

    pub(crate) fn last_delta_text(&self) -> Option<(usize, crate::segments::data::SegmentDataSummary)> {
        let index = self.tree.previous_attached(self.tree.len(), |summary| summary.delta_text_len > 0)?;
        Some((index, self.tree.summary_before(index).attachment))
    }

    /// The context in which the segments are parsed.
    pub(crate) fn context(&self) -> ReadContext<'_> {
        ReadContext {
            tree: &self.tree,
            text: &self.text,
            language: self.language,
            settings: &self.settings,
            tool_lists: &self.tool_lists,
            protocol: self.protocol,
            reads_fences: self.role == DocumentRole::File,
        }
    }

    /// Parses all segments. The segments of a log are parsed without a protocol first; the first
    /// record that shows one begins the parse anew.
    fn read_all(&mut self) {
        self.overview = Overview::default();
        self.protocol = None;
        loop {
            self.tool_lists = ToolLists::default();
            let mut collector = Collector::new(self.tree.len());
            let all = 0..self.tree.len();
            let joined = Text::new(&self.read_range(all, SegmentReader::default(), Some(&mut collector)));
            let shown = self.tree.summary().attachment.protocol;
            if self.language == Language::Log && self.protocol.is_none() && shown.is_some() {
                self.protocol = shown;
                continue;
            }
            self.links = collector.finish(LinkContext { tree: &self.tree, text: &self.text });
            self.delta_text =
                (!joined.is_empty()).then(|| Box::new(Self::delta_text_document(joined, &self.settings)));
            return;
        }
    }

    /// Parses the segments of `damaged` and returns their joined delta text. `edited` is the index
    /// of a segment whose data are known; `reader` stands at the first one that is read.
    fn read_damaged(
        &mut self,
        damaged: Range<usize>,
        edited: Option<(usize, SegmentAttachment)>,
        reader: SegmentReader,
    ) -> String {
        let Some((index, attachment)) = edited else { return self.read_range(damaged, reader, None) };
        self.tree.attach(index, vec![attachment]);
        let before = self.read_range(damaged.start..index.max(damaged.start), SegmentReader::default(), None);
        before + &self.read_range((index + 1).max(damaged.start)..damaged.end, reader, None)
    }

    /// Parses the segments of `range` and returns their joined delta text. `collector` receives the
    /// links between blocks; with it, the parse ends after the first record that shows a protocol
    /// if none is known.
    fn read_range(
        &mut self,
        range: Range<usize>,
        mut reader: SegmentReader,
        mut collector: Option<&mut Collector>,
    ) -> String {
        for start in range.clone().step_by(READ_AT_ONCE) {
            let context = self.context();
            let segments = context.tree.iter_from(start).take(READ_AT_ONCE.min(range.end - start));
            let mut attached: Vec<SegmentAttachment> =
                segments.map(|located| read::read_segment(context, &located, &mut reader)).collect();
            let shows_protocol = self.language == Language::Log
                && self.protocol.is_none()
                && attached.iter().any(|attached| attached.summary().protocol.is_some());
            if let Some(collector) = &mut collector {
                attached.iter_mut().for_each(|attached| collector.add(attached, |_, _| true));
            }
            self.tree.attach(start, attached);
            if shows_protocol && collector.is_some() {
                break;
            }
        }
        self.tool_lists.extend(std::mem::take(&mut reader.cursor).lists);
        reader.delta_text
    }

    /// Replaces `damaged`, the delta text of the damaged records, by `joined`. Returns the lengths
    /// in bytes of the unchanged prefix and suffix of the delta text.
    fn splice_delta_text(&mut self, damaged: Option<Range<usize>>, joined: &str) -> (usize, usize) {
        match (&mut self.delta_text, damaged) {
            (Some(delta_text), Some(damaged)) => {
                let splice = Splice { start: damaged.start, removed: damaged.len(), inserted: joined.len() };
                if delta_text.text.slice(damaged) == joined {
                    return (delta_text.text.len(), delta_text.text.len());
                }
                let unchanged = delta_text.apply_with_unchanged(splice, joined);
                if delta_text.text.is_empty() {
                    self.delta_text = None;
                }
                unchanged.map_or((0, 0), |unchanged| (unchanged.prefix, unchanged.suffix))
            }
            (None, _) if !joined.is_empty() => {
                self.delta_text =
                    Some(Box::new(Self::delta_text_document(Text::new(joined), &self.settings)));
                (0, 0)
            }
            _ => (0, 0),
        }
    }

    /// The data of the segments, with the document offsets that they are relative to.
    pub(crate) fn segment_data(&self) -> impl Iterator<Item = (usize, &SegmentData)> {
        self.tree
            .iter()
            .filter_map(|located| Some((located.offset, located.segment.attachment.data.as_deref()?)))
    }
}

/// The range of the delta text of the segments of `range`, within the whole delta text.
fn delta_text_range(tree: &Tree<SegmentAttachment>, range: Range<usize>) -> Range<usize> {
    let before = |index: usize| tree.summary_before(index).attachment.delta_text_len;
    before(range.start)..before(range.end)
}

/// The attachments of the segments in `range` that have links.
fn attachments_with_links(tree: &Tree<SegmentAttachment>, range: Range<usize>) -> Vec<SegmentAttachment> {
    let segments = tree.iter_from(range.start).take(range.len());
    segments.map(|located| &located.segment.attachment).filter(|attached| attached.key > 0).cloned().collect()
}

fn is_body(segment: &syntax::Segment<SegmentAttachment>) -> bool {
    matches!(segment.kind, SegmentKind::Body { .. })
}

fn rules_of(language: Language, settings: &Settings) -> InlineRules {
    match language {
        Language::Markdown => inline_of(settings).markdown.clone(),
        Language::Log => InlineRules::lines(),
        Language::Json => InlineRules::json(settings.sizes.json_segment),
        Language::Org => InlineRules::org(),
    }
}

/// True if two ranges share a byte, or one ends where the other begins.
pub fn touches(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}
