//! Data that is stored per segment, and its sums over a run of segments.

use crate::call::pairing::Pairing;
use crate::call::{
    Block, Conversation, ConversationPlace, Evidence, JsonContainer, MessageHeader, RecordLink,
    StreamProtocol, ThreadLink,
};
use crate::call::{MessageStart, SpeakerCounts};
use crate::diagnostic::SegmentDiagnostic;
use crate::diagnostic::directive::Directive;
use crate::dialect::{Dialect, by_index};
use crate::rules::requests::sum::RequestSum;
use crate::segments::kept::KeptReads;
use crate::segments::program_lines::ProgramLines;
use crate::segments::secrets::SecretSpan;
use crate::syntax::sum_tree::SumTreeSummary;
use crate::syntax::{Attachment, AttachmentPart, LocatedSegment, Segment};
use smallvec::SmallVec;
use std::sync::{Arc, LazyLock};

static NO_LOG: LazyLock<LogSegmentData> = LazyLock::new(LogSegmentData::default);
static NO_RARE: LazyLock<RareSegmentData> = LazyLock::new(RareSegmentData::default);
/// The data of segments for which nothing is stored.
static PLAIN_TEXT: LazyLock<SegmentData> =
    LazyLock::new(|| SegmentData { ends_in_text: true, has_text: true, ..SegmentData::default() });

/// A segment of a document, with its position.
pub type DocumentSegment<'d> = LocatedSegment<'d, SegmentAttachment>;

/// The results of dialects and rules for one segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentData {
    /// Its blocks, in order.
    pub blocks: SmallVec<[Block; 1]>,
    /// True if there is anything but white space after the last block.
    pub ends_in_text: bool,
    /// True if there is anything but white space before, between or after the blocks.
    pub has_text: bool,
    /// True if it counts as white space between blocks (`event:` lines and the like in a stream
    /// log).
    pub blank: bool,
    /// In a stream log: the protocol that it shows.
    pub protocol: Option<StreamProtocol>,
    /// True if one of its diagnostics is `mixed-protocol`: stored, because sums are requested often
    /// and there may be many diagnostics.
    pub is_mixed: bool,
    /// The evidence of its blocks that the document is a transcript.
    pub evidence: Evidence,
    /// The counts of the messages that begin in it.
    pub speaker_counts: SpeakerCounts,
    /// True if it has a message in an array of messages, or a part of one. Stored like the next
    /// one, because a line may have many messages, and sums are requested often.
    pub has_listed_messages: bool,
    /// True if it is a record of a session with a text of white space.
    pub has_empty_record: bool,
    /// The messages of a log in it. Segments with equal messages may share them.
    pub log: Option<Arc<LogSegmentData>>,
    /// Data that few segments have. Segments with equal data may share it.
    pub rare: Option<Arc<RareSegmentData>>,
}

/// The messages of a log in a segment, and the links of a line. Most lines of a log have a message
/// and nothing else, so this is small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogSegmentData {
    /// The messages that begin in the segment, in order.
    pub messages: Box<[LogMessage]>,
    /// The link of its message in a thread without a name.
    pub thread_link: Option<ThreadLink>,
    /// The link of its record to the parent.
    pub record_link: Option<RecordLink>,
}

/// Data that few segments have, on the heap so that other segments stay small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RareSegmentData {
    /// The diagnostics, in order.
    pub diagnostics: Box<[SegmentDiagnostic]>,
    /// The secrets in its text, in order.
    pub secrets: Box<[SecretSpan]>,
    /// The JSON containers on several lines, and values in long lines, in order of their starts.
    pub containers: Box<[JsonContainer]>,
    /// The suppression comments, in order.
    pub directives: Box<[Directive]>,
    /// The beginnings of messages, in order.
    pub message_starts: Box<[MessageStart]>,
    /// The empty texts of messages that begin in the segment, in order.
    pub blank_texts: Box<[BlankText]>,
    /// True if it is a line with a request that a server may reject.
    pub may_be_rejected: bool,
    /// True if it is a line that lists tools of its calls.
    pub has_lists: bool,
    /// The sum of the request items of a JSON document.
    pub requests: RequestSum,
    /// True if it is a piece of a JSON document that is not valid where it stands.
    pub is_broken: bool,
    /// True if it is a line that is a training example without a fault.
    pub is_example: bool,
    /// The lines by which programs are recognized.
    pub program_lines: ProgramLines,
    /// The sums of summarized lines, which replace all other data.
    pub summarized: Option<Box<SegmentDataSummary>>,
}

/// An empty text of a message in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlankText {
    /// The offset of its object in the segment.
    pub start: u32,
    /// The conversation that it is part of.
    pub conversation: Conversation,
}

/// An object of a log that is a message, an envelope of one, or a tool use of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogMessage {
    /// The offset of its object in the segment.
    pub start: u32,
    /// The number of containers around it.
    pub depth: u8,
    /// The index of its form in the table.
    pub form: u16,
    /// Its header, as its own members show it.
    pub header: MessageHeader,
    /// The conversation that it is part of.
    pub conversation: Conversation,
}

/// `data` on the heap; `None` if there are none.
pub fn shared<T: Default + PartialEq>(data: T) -> Option<Arc<T>> {
    (data != T::default()).then(|| Arc::new(data))
}

impl SegmentData {
    /// True if it only records that there is text.
    pub fn is_plain_text(&self) -> bool {
        *self == *PLAIN_TEXT
    }

    /// The messages of a log in it, and the links of a line; empty in other segments.
    pub fn log(&self) -> &LogSegmentData {
        self.log.as_deref().unwrap_or(&NO_LOG)
    }

    /// The data that few segments have; empty in other segments.
    pub fn rare(&self) -> &RareSegmentData {
        self.rare.as_deref().unwrap_or(&NO_RARE)
    }

    /// The number of its messages that begin before `block`.
    pub fn messages_before(&self, block: &Block) -> usize {
        let start = block.span.map_or(0, |span| span.start);
        self.log().messages.partition_point(|message| message.start < start)
    }

    /// Completes the fields that are derived from its blocks and messages.
    pub fn summed(self) -> Self {
        let is_listed = |conversation: Conversation| conversation.place != ConversationPlace::Document;
        let has_listed_messages = self.blocks.iter().any(|block| is_listed(block.conversation))
            || self.log().messages.iter().any(|message| is_listed(message.conversation))
            || self.rare().blank_texts.iter().any(|text| is_listed(text.conversation));
        let has_own_text = self.rare().blank_texts.iter().any(|text| !is_listed(text.conversation));
        let has_empty_record = self.log().record_link.is_some() && has_own_text;
        Self { has_listed_messages, has_empty_record, ..self }
    }
}

/// The data that a document attaches to a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentAttachment {
    /// The segment data; `None` for plain text, which most segments are. Segments with equal data
    /// may share it.
    pub data: Option<Arc<SegmentData>>,
    /// In a stream log: the length in bytes of its decoded delta text.
    pub delta_text_len: u32,
    /// The permanent key of a segment whose blocks have links: greater than the keys of all
    /// preceding segments. 0 without links.
    pub key: u32,
    /// Values derived from the segment on request.
    pub kept: KeptReads,
}

// A document of tags has a segment for every 30 bytes.
const _: () = assert!(size_of::<Segment<SegmentAttachment>>() <= 80);

/// The sums of the data of a run of segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentDataSummary {
    /// True if there are summarized lines, whose data are not held.
    pub summarized: bool,
    /// True if there is a block.
    pub blocks: bool,
    /// True if there is a diagnostic of a block.
    pub has_diagnostics: bool,
    /// True if there is a secret.
    pub secrets: bool,
    /// True if there is a suppression comment.
    pub directives: bool,
    /// True if there is a record of another stream protocol than the log's.
    pub mixed: bool,
    /// The protocol of the first record that shows one.
    pub protocol: Option<StreamProtocol>,
    /// The length of the delta text in bytes.
    pub delta_text_len: usize,
    /// The last key; 0 if there is none.
    pub key: u32,
    /// True if there is anything but white space outside of blocks.
    pub text: bool,
    /// The number of blocks that are complete tool uses (tool fences).
    pub self_contained_uses: u32,
    /// The number of tool fences without an id.
    pub fences_without_id: u32,
    /// True if a tool fence without an id has no result.
    pub has_pending_fence: bool,
    /// The evidence that the document is a transcript.
    pub evidence: Evidence,
    /// The counts of all messages.
    pub speaker_counts: SpeakerCounts,
    /// The lines by which programs are recognized.
    pub program_lines: ProgramLines,
    /// True if there is a message of a log.
    pub messages: bool,
    /// True if there is a message in an array of messages.
    pub listed_messages: bool,
    /// True if there is a message that is linked to others of its thread.
    pub thread_links: bool,
    /// The number of records with an id.
    pub records: u32,
    /// The number of records without a parent.
    pub chains: u32,
    /// True if there is a record of a session with a text of white space.
    pub empty_records: bool,
    /// True if there is a line with a request that a server may reject.
    pub may_be_rejected: bool,
    /// The sum of the request items of a JSON document.
    pub requests: RequestSum,
    /// True if there is a piece of a JSON document that is not valid where it stands.
    pub is_broken: bool,
    /// True if there is a line that is not a valid training example.
    pub no_examples: bool,
}

impl<'d> DocumentSegment<'d> {
    /// The data of the segment.
    pub fn data(&self) -> &'d SegmentData {
        self.segment.attachment.data()
    }
}

impl SegmentAttachment {
    /// The segment data, also of plain text.
    pub fn data(&self) -> &SegmentData {
        self.data.as_deref().unwrap_or(&PLAIN_TEXT)
    }

    /// The attachment of summarized lines with the sums `sum`. It has no key, because none of their
    /// blocks is indexed.
    pub fn summarized(sum: SegmentDataSummary) -> Self {
        let sum = SegmentDataSummary { summarized: true, key: 0, ..sum };
        let rare = RareSegmentData { summarized: Some(Box::new(sum)), ..RareSegmentData::default() };
        let data = SegmentData { rare: shared(rare), ..SegmentData::default() };
        Self { data: Some(Arc::new(data)), ..Self::default() }
    }
}

/// The last key of a run of segments; 0 if there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastKey(pub u32);

impl SumTreeSummary for LastKey {
    #[inline]
    fn add(&mut self, behind: &Self) {
        self.0 = self.0.max(behind.0);
    }
}

impl AttachmentPart<SegmentAttachment> for LastKey {
    #[inline]
    fn of_attachment(attachment: &SegmentAttachment) -> Self {
        Self(attachment.key)
    }

    #[inline]
    fn of_summary(summary: &SegmentDataSummary) -> Self {
        Self(summary.key)
    }
}

impl AttachmentPart<SegmentAttachment> for SegmentDataSummary {
    fn of_attachment(attachment: &SegmentAttachment) -> Self {
        attachment.summary()
    }

    fn of_summary(summary: &SegmentDataSummary) -> Self {
        *summary
    }
}

impl Attachment for SegmentAttachment {
    type Summary = SegmentDataSummary;

    fn summary(&self) -> SegmentDataSummary {
        let data = self.data();
        let (log, rare) = (data.log(), data.rare());
        if let Some(sum) = &rare.summarized {
            return **sum;
        }
        // Only fences share one numbering of fallback ids: a fence is a segment, and other dialects
        // count separately.
        let is_fence = |dialect: &Dialect| dialect.pairing == Pairing::SelfContained;
        let own = data.blocks.first().filter(|block| by_index(block.dialect).is_some_and(is_fence));
        SegmentDataSummary {
            summarized: false,
            blocks: !data.blocks.is_empty(),
            has_diagnostics: !rare.diagnostics.is_empty(),
            secrets: !rare.secrets.is_empty(),
            directives: !rare.directives.is_empty(),
            mixed: data.is_mixed,
            protocol: data.protocol,
            delta_text_len: self.delta_text_len as usize,
            key: self.key,
            text: data.has_text,
            self_contained_uses: own.is_some().into(),
            fences_without_id: own.is_some_and(|block| block.id().is_none()).into(),
            has_pending_fence: own.is_some_and(Block::is_left_pending),
            evidence: data.evidence,
            speaker_counts: data.speaker_counts,
            program_lines: rare.program_lines,
            messages: !log.messages.is_empty(),
            listed_messages: data.has_listed_messages,
            thread_links: log.thread_link.is_some(),
            records: log.record_link.is_some().into(),
            requests: rare.requests,
            is_broken: rare.is_broken,
            chains: log.record_link.is_some_and(|link| link.before.is_none()).into(),
            empty_records: data.has_empty_record,
            may_be_rejected: rare.may_be_rejected,
            no_examples: !rare.is_example,
        }
    }
}

impl SumTreeSummary for SegmentDataSummary {
    #[inline]
    fn add(&mut self, behind: &Self) {
        self.summarized |= behind.summarized;
        self.blocks |= behind.blocks;
        self.has_diagnostics |= behind.has_diagnostics;
        self.secrets |= behind.secrets;
        self.directives |= behind.directives;
        self.mixed |= behind.mixed;
        self.protocol = self.protocol.or(behind.protocol);
        self.delta_text_len += behind.delta_text_len;
        self.key = self.key.max(behind.key);
        if self.has_requests() || behind.has_requests() {
            self.add_requests(behind);
        }
        self.text |= behind.text;
        self.self_contained_uses += behind.self_contained_uses;
        self.fences_without_id += behind.fences_without_id;
        self.has_pending_fence |= behind.has_pending_fence;
        self.evidence.add(behind.evidence);
        self.speaker_counts.add(behind.speaker_counts);
        self.program_lines.add(behind.program_lines);
        self.messages |= behind.messages;
        self.listed_messages |= behind.listed_messages;
        self.thread_links |= behind.thread_links;
        self.records += behind.records;
        self.chains += behind.chains;
        self.empty_records |= behind.empty_records;
        self.may_be_rejected |= behind.may_be_rejected;
        self.is_broken |= behind.is_broken;
        self.no_examples |= behind.no_examples;
    }
}

impl SegmentDataSummary {
    /// True if there are messages of requests, or parts of them.
    pub fn has_requests(&self) -> bool {
        self.listed_messages || self.requests.has_parts()
    }

    /// Adds the request items of the following run. A run without any only counts as text.
    fn add_requests(&mut self, behind: &Self) {
        let text = |run: &Self| {
            let mut sum = run.requests;
            if run.text && !run.has_requests() {
                sum.push_text();
            }
            sum
        };
        let mut sum = text(self);
        sum.add(&text(behind));
        self.requests = sum;
    }
}
