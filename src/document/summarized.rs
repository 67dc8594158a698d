//! Long logs of messages whose data are not held: they are read in parts, and only the sums of most
//! parts are kept.

use std::ops::Range;
use std::sync::Arc;

use crate::call::pairing::Pairing;
use crate::config::Settings;
use crate::document::links::{Collector, LinkContext};
use crate::document::summarized_uses::SummarizedUses;
use crate::document::{Document, DocumentRole, Language, rules_of};
use crate::segments::data::{DocumentSegment, SegmentAttachment, SegmentDataSummary};
use crate::segments::reader::SegmentReader;
use crate::syntax::sum_tree::SumTreeSummary;
use crate::syntax::{self, Attachment, Segment, SegmentKind, Tree};
use crate::text::Text;

/// A log that is being read in parts.
pub(crate) struct SummarizingLog {
    document: Document,
    /// The parts, by their document offsets.
    parts: Vec<LogPart>,
    /// True if parts with something to report stay.
    keeps_reported: bool,
    last_key: u32,
}

struct LogPart {
    start: usize,
    is_summarized: bool,
}

impl SummarizingLog {
    /// The log `text`, of which nothing is read yet.
    pub fn new(text: Text, settings: Arc<Settings>, keeps_reported: bool) -> Self {
        let document = Document::unread(text, Language::Log, settings, DocumentRole::File);
        // The part that shows that the log is a transcript may be the last one.
        Self { document: document.assumed(true), parts: Vec::new(), keeps_reported, last_key: 0 }
    }

    /// Reads all parts, and passes the segments of each to `visit` before it is summarized. `None`
    /// if the log cannot be summarized.
    pub fn read(&mut self, visit: &mut dyn FnMut(&Document, Range<usize>)) -> Option<()> {
        let mut last = 0..0;
        loop {
            let start = self.document.tree.bytes();
            if start >= self.document.text.len() {
                return Some(());
            }
            // The last part stays: rules ask how a document ends. The first one shows whether the
            // log is a training set.
            if self.parts.len() > 1 {
                self.summarize(last);
            }
            last = self.read_part(start)?;
            visit(&self.document, last.clone());
            self.parts.push(LogPart { start, is_summarized: false });
        }
    }

    /// Reads the part at `start`. Returns its segments.
    fn read_part(&mut self, start: usize) -> Option<Range<usize>> {
        let Self { document, last_key, .. } = self;
        let lines = lines_of_part(document, start);
        let first = document.tree.len();
        let part = first..first + lines.len();
        document.tree.splice(first..first, lines);
        let delta_text = document.read_range(part.clone(), SegmentReader::default(), None);
        document.tree.update_attached(part.clone(), |attached| {
            *last_key += 1;
            attached.key = *last_key;
        });
        let can_summarize = |located: DocumentSegment<'_>| {
            let data = located.data();
            data.protocol.is_none()
                && data.log().thread_link.is_none()
                && data.blocks.iter().all(|block| block.pairing == Pairing::InConversation)
        };
        let mut segments = document.tree.iter_from(first);
        (!part.is_empty() && delta_text.is_empty() && segments.all(can_summarize)).then_some(part)
    }

    /// Summarizes the last part, whose segments these are, unless it has something to report.
    fn summarize(&mut self, segments: Range<usize>) {
        let tree = &self.document.tree;
        let mut sum = SegmentDataSummary::default();
        let mut lines = 0;
        for located in tree.iter_from(segments.start) {
            sum.add(&located.segment.attachment.summary());
            lines += located.segment.lines;
        }
        let is_reported = || {
            let misses_example = || sum.no_examples && self.document.is_training_set();
            sum.has_diagnostics || sum.secrets || sum.may_be_rejected || misses_example()
        };
        let Some(part) = self.parts.last_mut() else { return };
        let len = u32::try_from(tree.bytes() - part.start);
        let Some(len) = len.ok().filter(|_| !self.keeps_reported || !is_reported()) else {
            return;
        };
        let attachment = SegmentAttachment::summarized(sum);
        let summarized = Segment::plain(len, lines, SegmentKind::Summarized, attachment);
        self.document.tree.splice(segments, Tree::from(summarized));
        part.is_summarized = true;
    }

    /// The document with its tool uses.
    pub fn with_uses(self, found: SummarizedUses) -> Document {
        let mut document = self.document.assumed(false);
        let found = if document.is_active() { found } else { SummarizedUses::default() };
        document.summarized_uses = Some(Arc::new(found));
        document
    }

    /// The document, after the parts with wanted groups are read again in full. `groups` has the
    /// groups of each part, and whether they are those of records.
    pub fn with_groups<'g>(
        self,
        groups: impl Iterator<Item = &'g [(u32, bool)]>,
        is_wanted: impl Fn(u32, bool) -> bool,
    ) -> Document {
        let Self { mut document, parts, .. } = self;
        for (part, groups) in parts.iter().zip(groups) {
            if !part.is_summarized || !groups.iter().any(|(group, is_record)| is_wanted(*group, *is_record)) {
                continue;
            }
            let Some(at) = document.tree.segment_at(part.start).map(|located| located.index) else {
                continue;
            };
            let lines = lines_of_part(&document, part.start);
            let range = at..at + lines.len();
            document.tree.splice(at..at + 1, lines);
            document.read_range(range, SegmentReader::default(), None);
        }
        let mut collector = Collector::new(document.tree.len());
        document.tree.update_attached(0..document.tree.len(), |attached| {
            collector.add(attached, &is_wanted);
        });
        document.links = collector.finish(LinkContext { tree: &document.tree, text: &document.text });
        document.assumed(false)
    }
}

/// The lines of the part at `start`.
fn lines_of_part(document: &Document, start: usize) -> Tree<SegmentAttachment> {
    let settings = &document.settings;
    let rules = rules_of(document.language, settings);
    syntax::parse_lines(&document.text, &rules, start, settings.sizes.log_part)
}

impl Document {
    /// True if only the sums of some lines are held.
    pub(crate) fn is_summarized(&self) -> bool {
        self.tree.summary().attachment.summarized
    }
}
