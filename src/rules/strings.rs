//! Rules on the strings of a payload, including keys: `lone-surrogate`, `early-close`, `padded-id`.
//!
//! Only closed strings without syntax errors are checked, because an incomplete one may still
//! become valid.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::call::shape::PatternEnd;
use crate::call::{Call, Field};
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::{JsonKind, MAX_FAULTS, Value, quote};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::{Span, cut};

/// A tool's name in a message.
const NAME: &str = "tool name";
/// Maximum number of characters of an id or name in a message.
const SHOWN: usize = 60;

static UNICODE_ESCAPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\\u"));

/// Checks the strings in the payload of `call`; reports at most `MAX_FAULTS` of each kind.
pub fn check(call: &Call<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    let Some(payload) = &call.payload else { return };
    if !call.is_further {
        lone_surrogates(payload, diagnostics);
    }
    if call.shape.is_some_and(|shape| shape.pattern_end == PatternEnd::Backticks) {
        early_close(payload, diagnostics);
    }
    padded(call, payload, "id", call.id.as_ref(), diagnostics);
    padded(call, payload, NAME, call.name.as_ref(), diagnostics);
}

/// The strings of `payload` that can be checked and whose kind `is_wanted` accepts.
fn strings<'p>(
    payload: &'p ParsedPayload<'_>,
    is_wanted: impl Fn(JsonKind) -> bool,
) -> impl Iterator<Item = Value<'p>> {
    let body = payload.body();
    let at = move |index| Value::at(payload.json, body, index);
    (0..).zip(&payload.json.nodes).filter_map(move |(index, node)| {
        (is_wanted(node.kind) && node.closed && payload.has_no_error_in(node.span)).then(|| at(index))?
    })
}

fn lone_surrogates(payload: &ParsedPayload<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    let is_escaped =
        |kind| matches!(kind, JsonKind::String { escaped: true } | JsonKind::Key { escaped: true });
    let escapes = |string: &Value<'_>| UNICODE_ESCAPE.find(string.raw().as_bytes()).is_some();
    let lone = strings(payload, is_escaped).filter(escapes).flat_map(Value::lone_surrogates);
    for span in lone.take(MAX_FAULTS) {
        let message = format!(
            "`{}` is half of a surrogate pair: strict parsers reject it; write both halves, or the character itself",
            span.of(payload.body())
        );
        diagnostics.push(CallDiagnostic::new(Code::LoneSurrogate, span.shifted(payload.start), message));
    }
}

fn early_close(payload: &ParsedPayload<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    // Fast path: most payloads have no backtick.
    if memchr::memchr(b'`', payload.body().as_bytes()).is_none() {
        return;
    }
    let is_string = |kind| matches!(kind, JsonKind::String { .. } | JsonKind::Key { .. });
    let runs = strings(payload, is_string).flat_map(|string| {
        let start = string.span().start as usize;
        runs_of_backticks(string.raw()).map(move |run| run.shifted(start))
    });
    for run in runs.take(MAX_FAULTS) {
        let message = "readers that search for three backticks end the block here: write each as `\\u0060`";
        let run = run.shifted(payload.start);
        let fix = Fix::replace("Write the backticks as `\\u0060`", run, "\\u0060".repeat(run.len()));
        diagnostics.push(CallDiagnostic::new(Code::EarlyClose, run, message).fix(fix.preferred().safe()));
    }
}

/// Reports an id or a tool name with white space around it.
fn padded(
    call: &Call<'_>,
    payload: &ParsedPayload<'_>,
    what: &str,
    field: Option<&Field<'_>>,
    diagnostics: &mut Vec<CallDiagnostic>,
) {
    let is_space = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    let Some(field) =
        field.filter(|field| field.text.starts_with(is_space) || field.text.ends_with(is_space))
    else {
        return;
    };
    if !call.is_complete(field) {
        return;
    }
    let shown = cut(&quote(&field.text), SHOWN);
    let message = format!(
        "the {what} `{shown}` has white space around it: readers compare {what}s exactly, and take it for \
         another one; remove the white space"
    );
    let start = field.text.len() - field.text.trim_start_matches(is_space).len();
    let end = field.text.trim_end_matches(is_space).len();
    let literals = call.object.iter().flat_map(|object| object.entries()).map(|(_, value)| value);
    let literal = literals.into_iter().find(|value| value.span().shifted(payload.start) == field.span);
    let map = literal.filter(|_| start < end).and_then(|literal| Some(literal.as_str_with_map()?.1));
    let fix = map.map(|map| {
        let around = [(0, start), (end, field.text.len())].into_iter().filter(|(start, end)| start < end);
        let removed = |(start, end)| (map.to_source_span(start, end).shifted(payload.start), String::new());
        let fix = Fix::new("Remove the white space", around.map(removed).collect()).preferred().safe();
        if what == NAME { fix.naming(field.text.get(start..end).or_never()) } else { fix }
    });
    diagnostics.push(CallDiagnostic::new(Code::PaddedId, field.span, message).fixes(fix));
}

/// The runs of three or more backticks in `text`.
fn runs_of_backticks(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.as_bytes().get(at..).never_none()?;
            let start = at + memchr::memchr(b'`', rest)?;
            let run = text.bytes().skip(start).take_while(|byte| *byte == b'`').count();
            at = start + run;
            if run >= 3 {
                return Some(Span::new(start, at));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::config::Settings;
    use crate::diagnostic::Code;
    use crate::document::{Document, Language};
    use crate::text::Text;

    /// `marked` has `«…»` around each `padded-id`; `fixed` is the text after all safe fixes.
    #[track_caller]
    fn check_padded(marked: &str, fixed: &str) {
        let text = marked.replace(['«', '»'], "");
        let document = new(&text);
        let mut found = text.clone();
        for diagnostic in document.diagnostics().iter().rev().filter(|it| it.code == Code::PaddedId) {
            found.insert(diagnostic.range.end, '»');
            found.insert(diagnostic.range.start, '«');
        }
        assert_eq!(found, marked);
        let edits = document.fix_all(Some(Code::PaddedId));
        assert_eq!(edited(&text, &edits), fixed);
        // The quick fix of each diagnostic does the same, or a part of it.
        for fixable in document.fixes_in_range(0..text.len()) {
            if fixable.problem.code == Code::PaddedId {
                assert_eq!(fixable.fixes.len(), usize::from(!edits.is_empty()), "{:?}", fixable.problem);
                assert!(fixable.fixes.iter().flat_map(|fix| &fix.edits).all(|edit| edits.contains(edit)));
            }
        }
    }

    fn new(text: &str) -> Document {
        Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
    }

    fn edited(text: &str, edits: &[(std::ops::Range<usize>, String)]) -> String {
        crate::text::edit::applied(text, edits).expect("edits in order")
    }

    #[test]
    fn white_space_around_ids_and_names_is_removed() {
        check_padded(
            "```tool\n{\"toolCallId\": «\" a\"», \"toolName\": «\"read \"»}\n```\n",
            "```tool\n{\"toolCallId\": \"a\", \"toolName\": \"read\"}\n```\n",
        );
        check_padded(
            "> ###:{\"toolName\": «\"\\n\\u0020read\\u0020it\\t\"»}\n",
            "> ###:{\"toolName\": \"read\\u0020it\"}\n",
        );
        check_padded("###:{\"toolName\": «\"\\u00a0\\uFEFFé\"»}\n", "###:{\"toolName\": \"é\"}\n");
    }

    #[test]
    fn an_id_is_trimmed_in_all_records_that_share_it() {
        let log = |id: &str| {
            format!(
                "```jsonl\n{{\"type\":\"tool-call\",\"toolCallId\":{id},\"toolName\":\"a\",\"input\":{{}}}}\n{{\"type\":\
                 \"tool-result\",\"toolCallId\":{id},\"toolName\":\"a\",\"output\":1}}\n```\n"
            )
        };
        check_padded(&log("«\" c\"»"), &log("\"c\""));
    }

    #[test]
    fn a_result_is_found_by_its_trimmed_id() {
        let log = |id: &str| {
            format!(
                "```jsonl\n{{\"type\":\"tool-call\",\"toolCallId\":{id},\"toolName\":\"a\",\"input\":{{}}}}\n{{\"type\":\
                 \"tool-result\",\"toolCallId\":\"c\",\"toolName\":\"a\",\"output\":1}}\n```\n"
            )
        };
        check_padded(&log("«\" c\"»"), &log("\"c\""));
    }

    #[test]
    fn nothing_is_trimmed_that_another_call_is_called() {
        let fences = "```tool\n{\"toolCallId\": \"a\"}\n```\n\n```tool\n{\"toolCallId\": «\"a \"»}\n```\n";
        check_padded(fences, &fences.replace(['«', '»'], ""));
        let blank = "```tool\n{\"toolCallId\": «\" \"»}\n```\n";
        check_padded(blank, &blank.replace(['«', '»'], ""));
    }

    #[test]
    fn other_strings_keep_their_white_space() {
        for text in [
            "```tool\n{\"toolCallId\": \"a b\", \"toolName\": \"a\", \"output\": \" a \"}\n```\n",
            "```tool\n{\"toolCallId\": \"\", \"input\": {\"toolName\": \" a\"}}\n```\n",
            "<tool> read (a=1)\nok</tool>\n\n*🔧 Executed  read: ok*\n",
        ] {
            check_padded(text, text);
        }
        // A document that is no transcript.
        let ordinary = Settings { is_named: false, ..Settings::default() };
        let text = "```json\n{\"toolCallId\": \" a\", \"toolName\": \"b \"}\n```\n";
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(ordinary));
        assert_eq!(document.diagnostics(), []);
    }
}
