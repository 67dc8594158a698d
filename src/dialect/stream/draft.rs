//! The construct at an offset of a stream log: a record on its line.

use super::super::draft::{Draft, DraftObject, ObjectForm};
use super::line::{LogLine, lines};
use super::records::{self, RecordType};
use super::{BlockSource, LogRecord, effective_protocol, object, protocol_of};
use crate::call::StreamProtocol;
use crate::config::Protocol;
use crate::json;
use crate::never::OrNever;
use crate::text::Span;

/// The beginning of data in a server-sent event.
const DATA: &str = "data:";
/// Records of AI SDK 6 and later.
const OF_V6: [&str; 2] = ["tool-output-denied", "tool-approval-request"];

/// The line format of a log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LogLineFormat {
    Bare,
    Events,
    /// Each line begins with the code of its type.
    Coded,
}

/// The construct at the byte `at` of a line or fence; `before` is the beginning of the preceding
/// line of a log.
pub(super) fn draft(source: &BlockSource<'_>, at: usize, before: &str) -> Option<Draft> {
    let text = source.text;
    if source.language == Some("json") {
        let end = object::end_of(text, source.closed, at)?;
        let object = object(source, Span::new(0, end), None, false, LogLineFormat::Bare);
        // Other JSON is not a record.
        return object.form.is_some().then_some(Draft::Object(object));
    }
    let (start, line) = line_at(text, at)?;
    let (offset, code) = match LogLine::of(line) {
        LogLine::Json { start, code, .. } => (start, code),
        LogLine::PassedOver | LogLine::Other { .. } => (start_of_word(line)?, None),
    };
    let span = Span::new(start + offset, start + line.len());
    let bare = line.trim_start();
    let before = lines(text.get(..start)?)
        .map(|(_, line)| line)
        .filter(|line| !line.trim().is_empty())
        .last()
        .unwrap_or(before);
    let how = match LogLine::of(before) {
        _ if bare.starts_with(DATA) || offset > line.len() - bare.len() => LogLineFormat::Bare,
        _ if before.trim_start().starts_with(DATA) || source.language == Some("sse") => LogLineFormat::Events,
        LogLine::Json { code: Some(_), .. } => LogLineFormat::Coded,
        _ => LogLineFormat::Bare,
    };
    (span.start as usize <= at).then(|| Draft::Object(object(source, span, code, true, how)))
}

/// The line that contains `at`, without its line end, and its start.
fn line_at(text: &str, at: usize) -> Option<(usize, &str)> {
    let before = text.get(..at)?;
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = text.get(start..)?;
    Some((start, line.split(['\n', '\r']).next().unwrap_or_default()))
}

/// The start of the only word on a line, possibly after `data:`; the end of the white space if
/// there is no word.
fn start_of_word(line: &str) -> Option<usize> {
    let bare = line.trim_start_matches(['\u{feff}', ' ', '\t']);
    let word = bare.strip_prefix(DATA).unwrap_or(bare).trim_start_matches([' ', '\t']);
    let is_word =
        word.trim_end().bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_word.then(|| line.len() - word.len())
}

fn object(
    source: &BlockSource<'_>,
    span: Span,
    code: Option<u8>,
    is_line: bool,
    how: LogLineFormat,
) -> DraftObject {
    let json = json::parse(span.of(source.text));
    let text = source.text.get(..span.end as usize).or_never();
    let record = LogRecord {
        text,
        start: span.start as usize,
        json: &json,
        code,
        growing: false,
        closer: "",
        span: None,
    };
    let shown = match (is_line, source.language) {
        (true, Some(_)) => lines(source.text).find_map(|(_, line)| protocol_of(LogLine::of(line))),
        (true, None) => source.protocol,
        (false, _) => record.own_protocol(),
    };
    let protocol = effective_protocol(source.settings, shown);
    let name = record.type_name();
    let found = name.as_deref().and_then(|name| records::find(name, protocol, record.own_protocol()));
    let mut types: Vec<&RecordType> =
        records::of(protocol.filter(|_| how != LogLineFormat::Coded).or(match how {
            LogLineFormat::Coded => Some(StreamProtocol::V4),
            _ => protocol,
        }));
    let is_new = |kind: &RecordType| OF_V6.contains(&kind.name);
    types.retain(|kind| !is_new(kind) || source.settings.protocol >= Protocol::V6);
    let form = found.map(|found| {
        let known = types.iter().position(|kind| std::ptr::eq(*kind, found));
        known.unwrap_or_else(|| {
            types.push(found);
            types.len() - 1
        })
    });
    // The code of a line determines the form of its object.
    if let (Some(_), Some(found)) = (code, form) {
        let forms = types.get(found).and_then(|kind| form_of(kind, true, how));
        return DraftObject { span, form: forms.map(|_| 0), forms: forms.into_iter().collect(), is_line };
    }
    let forms = types.into_iter().filter_map(|kind| form_of(kind, code.is_some(), how));
    DraftObject { span, forms: forms.collect(), form, is_line }
}

/// The form of a record of type `kind`; `None` if the line format has no code for it.
fn form_of(kind: &RecordType, has_code: bool, how: LogLineFormat) -> Option<ObjectForm> {
    let prefix = match how {
        LogLineFormat::Bare => "",
        LogLineFormat::Events => "data: ",
        LogLineFormat::Coded => records::code_of(kind.name)?,
    };
    let tag = (!has_code && how != LogLineFormat::Coded).then_some(("type", kind.name));
    Some(ObjectForm { tag, part: kind.part, failed: kind.failed, shape: kind.shape, prefix })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::dialect::stream::DIALECT;

    /// Checks the text of the record at `|`, the fields of its form, and the prefix of the first
    /// form.
    #[track_caller]
    fn check(language: Option<&str>, before: &str, marked: &str, expected: &str) {
        let at = marked.find('|').expect("a position");
        let text = marked.replacen('|', "", 1);
        let settings = Settings::default();
        let source = BlockSource { language, ..BlockSource::new(&text, &settings) };
        let found = match (DIALECT.draft)(&source, at, before) {
            Some(Draft::Object(object)) => {
                let form = object.form.and_then(|form| object.forms.get(form));
                let fields =
                    form.map(|form| form.shape.fields.iter().map(|field| field.key).collect::<Vec<_>>());
                let first = object.forms.first().expect("a form");
                let own = object.span.of(&text);
                format!(
                    "{own:?} {:?} {}{}",
                    fields.unwrap_or_default(),
                    first.prefix,
                    first.tag.map_or("", |tag| tag.1)
                )
            }
            Some(other) => format!("{other:?}"),
            None => "nothing".to_owned(),
        };
        assert_eq!(found, expected, "{marked}");
    }

    #[test]
    fn the_form_of_a_record_follows_from_its_line() {
        let log = Some("jsonl");
        check(None, "", "|", "\"\" [] tool-input-start");
        check(None, "data: {}", "|", "\"\" [] data: tool-input-start");
        check(None, "data: {}", "data: |", "\"\" [] tool-input-start");
        check(None, "9:{}", "|", "\"\" [] b:");
        check(None, "", " to|", "\"to\" [] tool-input-start");
        check(None, "", "no record|", "nothing");
        check(None, "", "event: x|", "nothing");
        check(log, "", "{}\n|\n", "\"\" [] tool-input-start");
        check(Some("sse"), "", "\n|", "\"\" [] data: tool-input-start");
        check(log, "", "{\"a\": |\n{}", "\"{\\\"a\\\": \" [] tool-input-start");
        check(
            log,
            "",
            "{\"type\":\"tool-call\",\"args\":{}}\n{\"type\":\"tool-result\",|}",
            "\"{\\\"type\\\":\\\"tool-result\\\",}\" [\"type\", \"toolCallId\", \"toolName\", \"args\", \"result\"] tool-call-streaming-start",
        );
        check(None, "", "9:{|}", "\"{}\" [\"type\", \"toolCallId\", \"toolName\", \"args\"] ");
        check(Some("json"), "", "{\"a\": |}", "nothing");
        check(
            Some("json"),
            "",
            "{\"type\": \"tool-input-end\",\n|}",
            "\"{\\\"type\\\": \\\"tool-input-end\\\",\\n}\" [\"type\", \"id\"] tool-input-start",
        );
    }
}
