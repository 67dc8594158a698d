//! `stream`: a log with one JSON record per line, in the three protocols of the AI SDK (formats.md
//! §3.4): whole documents and fenced blocks.

use std::borrow::Cow;

use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome};
use super::object;
use crate::call::pairing::Pairing;
use crate::call::shape::swallowed_fence;
use crate::call::{Call, CallData, CallPart, CallSink, StreamProtocol, UseStatus, error_text};
use crate::config::{Protocol, Settings};
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::{self, JsonKind, JsonTape, Value};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::{Span, cut};

mod draft;
mod line;
mod records;
mod write;

pub(crate) use line::{LogLine, lines};
use records::RecordType;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "stream",
    form: "logs of the AI SDK as JSON Lines or server-sent events, also in fenced code blocks",
    fence: Some(|language, _, _| is_log(language) || language == "json"),
    languages: |_| LOGS.map(str::to_owned).to_vec(),
    lines: true,
    pairing: Pairing::ById,
    complete: write::complete,
    draft: draft::draft,
    writer: Some(DialectWriter { description: "records of a stream log", write: write::write }),
    read,
    ..Dialect::BASE
};

/// The languages of fenced logs.
const LOGS: [&str; 3] = ["jsonl", "ndjson", "sse"];

fn is_log(language: &str) -> bool {
    LOGS.contains(&language)
}

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    match source.language {
        Some("json") => return read_json_fence(source, sink),
        Some(_) if source.cut => return ReadOutcome::MoreText,
        Some(_) => read_log(source, sink),
        None => {
            let protocol = effective_protocol(source.settings, source.protocol);
            read_line(source, LogLine::of(source.text), 0, protocol, true, sink);
        }
    }
    ReadOutcome::Done
}

/// A `json` fence is a record if it is one object of a known type.
fn read_json_fence(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    let (json, closed) = object::parse(source.text, source.closed);
    let record = LogRecord {
        text: source.text,
        start: 0,
        json: &json,
        code: None,
        growing: false,
        closer: source.closer,
        span: None,
    };
    if source.cut && record.payload(closed).depends_on_cut_text() {
        return ReadOutcome::MoreText;
    }
    let is_record = record.type_name().is_some_and(|name| records::is_known(&name));
    if is_record && (!closed || record.payload(closed).trailing_text().is_none()) {
        record.read(effective_protocol(source.settings, record.own_protocol()), closed, sink);
    }
    ReadOutcome::Done
}

/// Parses a fenced log: the first record that determines a protocol decides.
fn read_log(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    let shown = lines(source.text).find_map(|(_, line)| protocol_of(LogLine::of(line)));
    let protocol = effective_protocol(source.settings, shown);
    let end = source.text.trim_end().len();
    let next = swallowed_fence(source.text);
    let (mut last, mut valid) = (None, true);
    for (start, line) in lines(source.text) {
        let read = read_line(source, LogLine::of(line), start, protocol, start + line.len() >= end, sink);
        if read.is_record && next.is_none_or(|next| start < next.start as usize) {
            last = Some(start + line.trim_end().len());
        }
        valid &= read.is_valid_in_open_log;
    }
    let Some(last) = last.filter(|_| !source.closed || next.is_some()) else { return };
    let diagnostic = crate::call::shape::unclosed_fence(source.text, valid);
    let close = Fix::replace("Close the fence", Span::empty(last), format!("\n{}", source.closer));
    sink.diagnostic(diagnostic.fix(close.preferred()));
}

/// The result of parsing one line.
struct LineReading {
    /// True if it is a record of a tool use.
    is_record: bool,
    /// True if it is valid in a log that is still being written.
    is_valid_in_open_log: bool,
}

/// Parses one line, which begins at byte `start` of the source's text.
fn read_line(
    source: &BlockSource<'_>,
    line: LogLine<'_>,
    start: usize,
    protocol: Option<StreamProtocol>,
    is_last: bool,
    sink: &mut dyn CallSink,
) -> LineReading {
    let no_record = LineReading { is_record: false, is_valid_in_open_log: true };
    let (at, code) = match line {
        LogLine::PassedOver => return no_record,
        LogLine::Other { text } => {
            // A closing fence may be only partly typed.
            let is_fence =
                source.language.is_some() && !source.closed && text.trim_matches(['`', '~']).is_empty();
            if !is_fence {
                sink.text();
            }
            return no_record;
        }
        LogLine::Json { start: offset, code, .. } => (start + offset, code),
    };
    let text = source.text.get(..start + line.len()).or_never();
    let json = json::parse(text.get(at..).or_never());
    let growing = is_last && (source.language.is_none() || !source.closed);
    let span = Some(Span::new(start, text.len()));
    let record = LogRecord { text, start: at, json: &json, code, growing, closer: "", span };
    if record.read(protocol, true, sink) {
        return LineReading {
            is_record: true,
            is_valid_in_open_log: json.errors.is_empty() || (growing && json.beginning),
        };
    }
    if protocol.is_some() {
        record.diagnostics().into_iter().for_each(|diagnostic| sink.diagnostic(diagnostic));
    }
    if let Some((delta_text, literal)) = record.text_delta() {
        sink.text_delta(&delta_text, literal);
    }
    // An incomplete record may still become anything.
    if !(growing && json.beginning) {
        sink.text();
    }
    no_record
}

fn protocol_of(line: LogLine<'_>) -> Option<StreamProtocol> {
    with_record(line, |record| record.own_protocol())?
}

/// True if `line` of a log is a record of the type `name`, or an event with the data of one.
pub fn is_record_of(line: &str, name: &str) -> bool {
    // Most lines have no such type, and need not be parsed.
    line.contains(name)
        && with_record(LogLine::of(line), |record| record.members_of(name).is_some()) == Some(true)
}

fn with_record<R>(line: LogLine<'_>, read: impl FnOnce(&LogRecord<'_>) -> R) -> Option<R> {
    let LogLine::Json { start, code, text } = line else { return None };
    let json = json::parse(text.get(start..).or_never());
    Some(read(&LogRecord { text, start, json: &json, code, growing: false, closer: "", span: None }))
}

/// The protocol of a log whose records show `shown`. The setting `protocol` may select v4, or the
/// later versions, which have two protocols, distinguished by their keys.
fn effective_protocol(settings: &Settings, shown: Option<StreamProtocol>) -> Option<StreamProtocol> {
    match settings.protocol {
        Protocol::Auto => shown,
        Protocol::V4 => Some(StreamProtocol::V4),
        Protocol::V5 | Protocol::V6 | Protocol::V7 => {
            shown.filter(|shown| *shown != StreamProtocol::V4).or(Some(StreamProtocol::Full))
        }
    }
}

/// One record, parsed as far as possible.
struct LogRecord<'a> {
    text: &'a str,
    /// The offset of its JSON in `text`.
    start: usize,
    json: &'a JsonTape,
    /// The prefix code of AI SDK 4.
    code: Option<u8>,
    /// True if it may be an incomplete line.
    growing: bool,
    /// The line that would close the record's fence, if the record is the whole content of a fence.
    closer: &'a str,
    /// Its line, in a log.
    span: Option<Span>,
}

impl<'a> LogRecord<'a> {
    fn payload(&self, closed: bool) -> ParsedPayload<'a> {
        ParsedPayload {
            text: self.text,
            start: self.start,
            json: self.json,
            closed,
            closer: self.closer,
            growing: self.growing,
        }
    }

    fn root(&self) -> Option<Value<'a>> {
        let root = self.payload(true).root()?;
        (root.kind() == JsonKind::Object).then_some(root)
    }

    fn type_name(&self) -> Option<Cow<'a, str>> {
        match self.code {
            Some(code) => records::type_of_code(code).map(Into::into),
            // A `delta` is a text. Cohere's streams have the same types, and objects there.
            None => self
                .root()
                .filter(|root| root.get("delta").is_none_or(|delta| !delta.is_object()))?
                .get("type")
                .filter(|value| matches!(value.kind(), JsonKind::String { .. }))?
                .as_str(),
        }
    }

    /// The protocol that this record alone shows.
    fn own_protocol(&self) -> Option<StreamProtocol> {
        let name = self.type_name()?;
        if self.code.is_some() {
            return Some(StreamProtocol::V4);
        }
        let root = self.root()?;
        records::protocol_shown_by(&name, |key| root.get(key).is_some())
    }

    /// Parses a record of a tool use; returns whether it is one.
    fn read(&self, protocol: Option<StreamProtocol>, closed: bool, sink: &mut dyn CallSink) -> bool {
        let Some(name) = self.type_name().filter(|name| records::is_known(name)) else { return false };
        let shown = self.own_protocol();
        if let Some(shown) = shown {
            sink.stream_protocol(shown);
        }
        let Some(record_type) = records::find(&name, protocol, shown) else { return false };
        if let Some(protocol) = protocol.filter(|protocol| !records::has(*protocol, &name)) {
            sink.diagnostic(self.mixed_protocol_diagnostic(&name, protocol));
        }
        let mut call = object::read(record_type.part, self.payload(closed), record_type.shape);
        call.span = self.span;
        call.error_text = call.error_text.take().or_else(|| v4_error(record_type, &call));
        let has_flag =
            |key: &str| call.extra.iter().any(|(name, value)| name == key && value.as_bool() == Some(true));
        call.is_invalid = record_type.failed || has_flag("invalid");
        call.is_provisional = has_flag("preliminary") || is_client_side(&call);
        call.status = status_of(&call);
        call.is_example = shown.is_some() && record_type.part != CallPart::Result;
        call.is_open = record_type.protocol == StreamProtocol::V4 && is_empty_object(call.input.as_ref());
        sink.call(call);
        true
    }

    /// The diagnostics of a record that is not part of a tool use, in an AI SDK log: JSON errors in
    /// records of known types, and types that resemble a known one.
    fn diagnostics(&self) -> Vec<CallDiagnostic> {
        let Some(name) = self.type_name() else { return Vec::new() };
        if records::is_other(&name) {
            return crate::json_repair::check_json(&self.payload(true));
        }
        let place =
            self.root().and_then(|root| root.get("type")).map(|value| value.span().shifted(self.start));
        let (Some(near), Some(place)) = (records::similar_type(&name), place) else { return Vec::new() };
        let message = format!(
            "no record has the type `{}`; did you mean `{near}`? Readers ignore records of unknown types",
            cut(&name, 60)
        );
        let fix = Fix::replace(format!("Write `{near}`"), place, json::quote(near)).preferred();
        vec![CallDiagnostic::new(Code::UnknownType, place, message).fix(fix)]
    }

    /// Reports a type that the log's protocol does not have.
    fn mixed_protocol_diagnostic(&self, name: &str, protocol: StreamProtocol) -> CallDiagnostic {
        let message = format!(
            "`{name}` is not a record of {}, the protocol of this log: readers ignore it",
            protocol.display_name()
        );
        let value = self.root().filter(|_| self.code.is_none()).and_then(|root| root.get("type"));
        let line = self.span.or_never();
        let code = Span::new(line.start as usize, self.start);
        let place = value.map_or(code, |value| value.span().shifted(self.start));
        CallDiagnostic::new(Code::MixedProtocol, place, message)
    }

    /// The object with the members of a record of the type `name`, if it is one: the record, or the
    /// data of an event.
    fn members_of(&self, name: &str) -> Option<Value<'a>> {
        let root = self.root()?;
        let is_named = |value: Value<'a>, key: &str| {
            value.get(key).and_then(|written| written.as_str()).is_some_and(|written| written == name)
        };
        match root.get("data").filter(|data| data.is_object()) {
            Some(data) if is_named(data, "type") || is_named(root, "type") || is_named(root, "event") => {
                Some(data)
            }
            _ => is_named(root, "type").then_some(root),
        }
    }

    /// The text of a `text-delta` record: the decoded text, and the span of its JSON string.
    fn text_delta(&self) -> Option<(Cow<'a, str>, Span)> {
        let delta = self.members_of("text-delta")?;
        let literal = ["delta", "textDelta", "text"]
            .into_iter()
            .find_map(|key| delta.get(key).filter(|value| matches!(value.kind(), JsonKind::String { .. })))?;
        // Text with syntax errors is skipped.
        let is_whole = literal.is_closed() && self.payload(true).has_no_error_in(literal.span());
        let is_read = is_whole || (self.growing && self.json.beginning);
        if !is_read {
            return None;
        }
        Some((literal.as_str()?, literal.span().shifted(self.start)))
    }
}

/// An invalid call has failed, whether or not its error follows.
fn status_of(call: &Call<'_>) -> UseStatus {
    match call.part {
        _ if call.is_invalid || call.error_text.is_some() => UseStatus::Failed,
        CallPart::Result => UseStatus::Done,
        _ => UseStatus::Pending,
    }
}

/// "One whose output has `_clientSideTool` may be followed by the real one."
fn is_client_side(call: &Call<'_>) -> bool {
    matches!(&call.output, Some(CallData::Json(output)) if output.get("_clientSideTool").is_some())
}

fn is_empty_object(input: Option<&CallData<'_>>) -> bool {
    matches!(input, Some(CallData::Json(input)) if input.is_object() && input.entries().next().is_none())
}

/// v4: "an error is a result `{"error": …}`".
fn v4_error<'a>(record: &RecordType, call: &Call<'a>) -> Option<Cow<'a, str>> {
    match &call.output {
        Some(CallData::Json(result)) if record.protocol == StreamProtocol::V4 && result.is_object() => {
            error_text(result.get("error")?).filter(|text| !text.is_empty())
        }
        _ => None,
    }
}
