//! Converts the output of dialects to the data that a document stores: compact, and relative to the
//! segment.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use crate::call::pairing::Pairing;
use crate::call::{
    Block, Call, CallPart, CallSink, ChatApi, Evidence, JsonContainer, MessageStart, SpeakerCounts,
    StreamProtocol,
};
use crate::diagnostic::directive;
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, RelatedTarget, SegmentDiagnostic};
use crate::dialect::ReadOutcome;
use crate::json_repair::payload::ParsedPayload;
use crate::rules;
use crate::rules::requests::sum::RequestSum;
use crate::segments::block_unit::{BlockUnit, ReadContext};
use crate::segments::data::{LogSegmentData, RareSegmentData, SegmentAttachment, SegmentData, shared};
use crate::segments::delta_pieces::{self, DeltaPiece};
use crate::segments::json_objects::{FoundMessages, JsonCursor};
use crate::segments::program_lines::ProgramLines;
use crate::segments::requests::{RequestKind, is_valid_example, may_be_rejected, sum_of};
use crate::segments::secrets::{SecretSpan, secrets_of};
use crate::segments::{containers, line_faults};
use crate::syntax::MOST_REGIONS;
use crate::text::{Span, saturate};

/// Number of recent values that a new one is compared with.
const RECENT: usize = 8;

/// The shared data of all segments that count as blank.
static BLANK: LazyLock<Arc<SegmentData>> =
    LazyLock::new(|| Arc::new(SegmentData { blank: true, ..SegmentData::default() }));

/// Creates the [`SegmentData`] of a segment, for one segment after the other.
#[derive(Default)]
pub(crate) struct SegmentReader {
    /// The data so far, without the data that are derived from all of them.
    data: SegmentData,
    rare: RareSegmentData,
    diagnostics: Vec<SegmentDiagnostic>,
    containers: Vec<JsonContainer>,
    messages: FoundMessages,
    /// True if the segment is a piece of a JSON document.
    is_json: bool,
    /// True if anything but white space follows the last block.
    after_text: bool,
    /// True if any block or text was received.
    any: bool,
    /// The joined delta text of all lines read so far, and its length before the current segment.
    pub(crate) delta_text: String,
    delta_text_before: usize,
    /// The containers of a JSON document that are open before the next segment.
    pub(crate) cursor: JsonCursor,
    /// The secrets of the next segment, if they are known.
    pub(crate) known_secrets: Option<Box<[SecretSpan]>>,
    /// The data of recent segments, to share equal data.
    recent: RecentValues<SegmentData>,
    recent_log: RecentValues<LogSegmentData>,
    recent_rare: RecentValues<RareSegmentData>,
}

/// The values that were made last: many lines of a log have equal data, and share it.
#[derive(Default)]
struct RecentValues<T> {
    values: VecDeque<Arc<T>>,
}

impl<T: PartialEq> RecentValues<T> {
    fn share(&mut self, new: Arc<T>) -> Arc<T> {
        if let Some(known) = self.values.iter().find(|known| **known == new) {
            return Arc::clone(known);
        }
        self.values.truncate(RECENT - 1);
        self.values.push_front(Arc::clone(&new));
        new
    }
}

impl SegmentReader {
    /// Parses one block.
    pub(crate) fn read(&mut self, context: ReadContext<'_>, unit: &BlockUnit<'_>) -> ReadOutcome {
        self.after_text |= unit.after_text;
        let mut sink = BlockUnitSink { reader: self, unit, delta_text: Vec::new() };
        let outcome = (unit.dialect.read)(&unit.source, &mut sink);
        let deltas = std::mem::take(&mut sink.delta_text);
        if !deltas.is_empty() {
            self.push_delta_text(context, unit, &deltas);
        }
        outcome
    }

    /// Adds the starts of messages, and the lines by which programs are recognized.
    pub(crate) fn lines(&mut self, starts: Vec<MessageStart>, lines: ProgramLines) {
        self.rare.message_starts = starts.into();
        self.rare.program_lines = lines;
    }

    /// Adds the secrets in the text of the segment.
    pub(crate) fn secrets(&mut self, text: &str) {
        self.rare.secrets = self.known_secrets.take().unwrap_or_else(|| secrets_of(text, 0));
    }

    /// Adds the suppression comments in `text`, a comment that is a segment of its own. The comment
    /// counts as text between blocks.
    pub(crate) fn comment(&mut self, text: &str) {
        self.rare.directives = directive::read(text);
    }

    /// Adds the messages of a log, after its blocks.
    pub(crate) fn messages(&mut self, found: FoundMessages) {
        self.any |= !found.messages.is_empty() || found.thread_link.is_some();
        self.data.evidence.is_sure &= !found.is_fenced || found.is_recorded;
        self.messages = found;
    }

    /// Checks the requests in `line`, a line of a log or a fence, after its blocks and messages
    /// were added. `api` is the API of requests that do not show theirs.
    pub(crate) fn check_requests(&mut self, line: &str, api: Option<ChatApi>) {
        let FoundMessages { messages, blank_texts, .. } = &self.messages;
        self.rare.may_be_rejected = may_be_rejected(line, (&self.data.blocks, messages, blank_texts), api);
    }

    /// Adds the faults of `line`, a log's line with its line end, unless its dialect reported that
    /// it is not JSON.
    pub(crate) fn line_faults(&mut self, line: &str) {
        if self.diagnostics.iter().all(|it| it.code != Code::InvalidJson) {
            let found = line_faults::check(line);
            self.any |= !found.is_empty();
            self.diagnostics.extend(found);
        }
    }

    /// Records that the segment is a piece of a JSON document.
    pub(crate) fn json_piece(&mut self, is_broken: bool) {
        self.is_json = true;
        self.rare.is_broken = is_broken;
    }

    /// Records that the tool blocks of a paragraph are left out from `at` on.
    pub(crate) fn leaves_out(&mut self, at: u32, text: &str) {
        let start = at as usize;
        let first = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let message = format!(
            "a paragraph has at most {MOST_REGIONS} tool blocks: the rest of it is not parsed; put a blank line between some of them"
        );
        self.any = true;
        self.diagnostics.push(SegmentDiagnostic {
            code: Code::NotChecked,
            span: Span::new(start, start + first),
            message: message.into(),
            at_end: AtDocumentEnd::AsAnywhere,
            related: Box::default(),
        });
    }

    /// Returns the data of the segment and starts the next one.
    pub(crate) fn finish(&mut self, ends_in_text: bool) -> SegmentAttachment {
        let delta_text_len = saturate(self.delta_text.len() - self.delta_text_before);
        self.delta_text_before = self.delta_text.len();
        SegmentAttachment {
            data: self.finish_data(ends_in_text),
            delta_text_len,
            ..SegmentAttachment::default()
        }
    }

    /// The data of the segment; `None` for plain text, which most segments of most documents are.
    fn finish_data(&mut self, ends_in_text: bool) -> Option<Arc<SegmentData>> {
        let ends_in_text = std::mem::take(&mut self.after_text) || ends_in_text;
        let is_blank = !std::mem::take(&mut self.any) && !ends_in_text;
        let is_stored = self.rare.is_broken || !self.rare.secrets.is_empty();
        if is_blank && !is_stored && self.messages.record_link.is_none() {
            return Some(BLANK.clone());
        }
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        // "`mixed-protocol`, once, at the first such record": a fenced log is one segment.
        let mut is_mixed = false;
        self.diagnostics.retain(|diagnostic| {
            diagnostic.code != Code::MixedProtocol || !std::mem::replace(&mut is_mixed, true)
        });
        let data = std::mem::take(&mut self.data);
        let rare = std::mem::take(&mut self.rare);
        let has_text = ends_in_text || data.blocks.iter().any(|block| block.after_text);
        let mut speaker_counts = SpeakerCounts::of(&rare.message_starts);
        let found = std::mem::take(&mut self.messages);
        if !found.is_fenced {
            let roles = found.messages.iter().filter_map(|message| message.header.author);
            speaker_counts.add(SpeakerCounts::of_roles(roles));
        }
        let is_example = found.example.is_some_and(|start| is_valid_example(start, &found.messages));
        let parts = (&*data.blocks, &*found.messages, &*found.blank_texts);
        let requests = match std::mem::take(&mut self.is_json) {
            true => sum_of(parts, RequestKind::Array, ends_in_text),
            false if found.is_bare => sum_of(parts, RequestKind::Lines, ends_in_text),
            false => RequestSum::default(),
        };
        let log = LogSegmentData {
            messages: found.messages.into(),
            thread_link: found.thread_link,
            record_link: found.record_link,
        };
        let rare = RareSegmentData {
            diagnostics: std::mem::take(&mut self.diagnostics).into(),
            containers: std::mem::take(&mut self.containers).into(),
            blank_texts: found.blank_texts.into(),
            has_lists: found.has_lists,
            requests,
            is_example,
            ..rare
        };
        let data = SegmentData {
            ends_in_text,
            has_text,
            blank: is_blank,
            is_mixed,
            speaker_counts,
            log: shared(log).map(|log| self.recent_log.share(log)),
            rare: shared(rare).map(|rare| self.recent_rare.share(rare)),
            ..data
        }
        .summed();
        (!data.is_plain_text()).then(|| self.recent.share(Arc::new(data)))
    }

    /// Collects delta text. In a fence, it is parsed with the segment; otherwise the lines of the
    /// log are parsed together, as one document.
    fn push_delta_text(&mut self, context: ReadContext<'_>, unit: &BlockUnit<'_>, deltas: &[DeltaPiece]) {
        if unit.is_fence() {
            let (blocks, diagnostics) = delta_pieces::read_delta_pieces(deltas, unit.content, context);
            self.data.blocks.extend(blocks);
            self.data.blocks.sort_by_key(|block| block.span);
            self.diagnostics.extend(diagnostics);
        } else {
            self.delta_text.extend(deltas.iter().map(|piece| piece.text.as_str()));
        }
    }
}

/// The sink for one block.
struct BlockUnitSink<'r, 'u> {
    reader: &'r mut SegmentReader,
    unit: &'u BlockUnit<'u>,
    delta_text: Vec<DeltaPiece>,
}

impl BlockUnitSink<'_, '_> {
    fn push_diagnostics(&mut self, diagnostics: Vec<CallDiagnostic>) {
        let unit = self.unit;
        let to_segment = |span| unit.content.to_segment(span);
        let related = |related: RelatedTarget| RelatedTarget { place: to_segment(related.place), ..related };
        self.reader.diagnostics.extend(diagnostics.into_iter().map(|diagnostic| SegmentDiagnostic {
            code: diagnostic.code,
            span: unit.target_span(diagnostic.target),
            message: diagnostic.message.into(),
            at_end: diagnostic.at_end,
            related: diagnostic.related.into_iter().map(related).collect(),
        }));
    }

    fn push_containers(&mut self, payload: &ParsedPayload<'_>) {
        let found = containers::of(payload, self.unit.source.settings.sizes.long_text);
        self.reader.containers.extend(found.into_iter().map(|found| JsonContainer {
            span: self.unit.content.to_segment(found.span.shifted(payload.start)),
            ..found
        }));
    }
}

impl CallSink for BlockUnitSink<'_, '_> {
    fn call(&mut self, call: Call<'_>) {
        let mut diagnostics = Vec::new();
        rules::check_call(&call, self.unit.source.settings, &mut diagnostics);
        self.push_diagnostics(diagnostics);
        if let Some(payload) = call.payload.as_ref().filter(|_| !call.is_further) {
            self.push_containers(payload);
        }
        let (dialect, content) = (self.unit.dialect, self.unit.content);
        let place = |span| content.to_segment(span);
        let mut block = Block::of(&call, (dialect.index(), dialect.pairing), &place);
        if !self.unit.is_line {
            block.span = Some(call.span.map_or(self.unit.full_span, place));
        }
        let finds_by_name = matches!(dialect.pairing, Pairing::EarlierCall { .. });
        // An unknown state may be intended to mean that there is a result.
        block.is_readable = call.valid
            && !dialect.is_of_other_programs
            && call.payload.is_none_or(|payload| payload.closed)
            && !(finds_by_name && call.part == CallPart::Call && call.name.is_none())
            && !rules::may_hide_result(&call)
            && call.state.as_ref().is_none_or(|state| rules::is_state(&state.text));
        block.conversation = self.unit.conversation;
        block.after_text = std::mem::take(&mut self.reader.after_text);
        self.reader.any = true;
        self.reader.data.evidence.add(Evidence::of(&call));
        self.reader.data.blocks.push(block);
    }

    fn diagnostic(&mut self, diagnostic: CallDiagnostic) {
        self.reader.any = true;
        self.push_diagnostics(vec![diagnostic]);
    }

    fn text(&mut self) {
        self.reader.after_text = true;
    }

    fn text_delta(&mut self, text: &str, literal: Span) {
        self.delta_text.push(DeltaPiece { text: text.to_owned(), literal });
    }

    fn stream_protocol(&mut self, protocol: StreamProtocol) {
        self.reader.data.protocol.get_or_insert(protocol);
    }
}
