//! Rules on a payload as JSON: `invalid-json`, `not-an-object`, `extra-content`, `first-brace`, and
//! unclosed blocks.

use crate::call::shape::{PatternEnd, unclosed_fence};
use crate::call::{Call, ObjectShape};
use crate::config::Settings;
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::json::{JsonKind, Value};
use crate::json_repair;
use crate::json_repair::payload::ParsedPayload;
use crate::json_repair::{is_end, push_json_errors};
use crate::never::OrNever;
use crate::text::Span;

/// The call that a fix writes into an empty block.
const SKELETON: &str = "{\"input\": {}}";

/// Checks the payload of `call`.
pub fn check(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    let (Some(payload), Some(shape)) = (&call.payload, call.shape) else { return };
    if !payload.closed {
        diagnostics.push(unclosed(payload, shape));
    }
    match payload.root() {
        None if payload.json.errors.iter().all(is_end) => {
            // An empty block may still be typed into; once closed, it lacks its object.
            if payload.closed {
                let message = format!("{} contains one JSON object; this one is empty", shape.description);
                let diagnostic =
                    CallDiagnostic::at_opening(Code::NotAnObject, message, AtDocumentEnd::AsAnywhere);
                diagnostics.push(diagnostic.fix(skeleton(payload)));
            }
            return;
        }
        _ => push_json_errors(payload, diagnostics),
    }
    let Some(root) = payload.root() else { return };
    if root.kind() != JsonKind::Object && payload.json.errors.is_empty() {
        let message = format!("{} contains one JSON object, found {}", shape.description, with_article(root));
        let span = root.span().shifted(payload.start);
        let edits = [(span.start, "{\"input\": "), (span.end, "}")];
        let edits = edits.map(|(at, text)| (Span::empty(at as usize), text.to_owned())).to_vec();
        let fix = Fix::new("Make it the input of a call", edits);
        diagnostics.push(CallDiagnostic::new(Code::NotAnObject, span, message).fix(fix));
    }
    if let (Some(rest), true, true) =
        (payload.trailing_text(), payload.closed, payload.json.errors.is_empty())
    {
        let message = format!(
            "{} contains one JSON object and nothing else; remove the text after it",
            shape.description
        );
        diagnostics.push(CallDiagnostic::new(Code::ExtraContent, first_line(payload.text, rest), message));
    }
    // This applies to most markers, so it is checked only if enabled.
    let asked = shape.pattern_end == PatternEnd::Brace && settings.severity(Code::FirstBrace).is_some();
    if asked && call.valid && payload.closed {
        first_brace(root, payload, diagnostics);
    }
}

/// Readers that use a pattern stop at the first `}`, even inside a string.
fn first_brace(root: Value<'_>, payload: &ParsedPayload<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    let Some(first) = memchr::memchr(b'}', root.raw().as_bytes()) else { return };
    if first + 1 < root.raw().len() {
        let start = root.span().start as usize + first;
        let message = "readers that search for the first `}` end the object here and lose the call";
        let brace = Span::new(start, start + 1).shifted(payload.start);
        diagnostics.push(CallDiagnostic::new(Code::FirstBrace, brace, message));
    }
}

fn unclosed(payload: &ParsedPayload<'_>, shape: &ObjectShape) -> CallDiagnostic {
    // The closer may be only partly typed.
    let rest = payload.trailing_text().map_or("", |rest| rest.of(payload.text));
    let growing = payload.json.errors.iter().all(is_end) && is_partial_closer(rest, payload.closer);
    let at_end = if growing { AtDocumentEnd::Information } else { AtDocumentEnd::AsAnywhere };
    let message = match shape.unclosed {
        Code::UnclosedMarker => "this marker's object is never closed: add `}`".to_owned(),
        Code::UnclosedTag => format!("this tag is never closed: add `{}`", payload.closer),
        _ => return unclosed_fence(payload.text, growing).fixes(close(payload, shape)),
    };
    CallDiagnostic::at_opening(shape.unclosed, message, at_end).fixes(close(payload, shape))
}

/// True if `rest` may become the closer: a part of a tag, or backticks of any number.
fn is_partial_closer(rest: &str, closer: &str) -> bool {
    closer.starts_with(rest) || rest.trim_matches(['`', '~']).is_empty()
}

/// The fix for an unclosed block: completes the object and adds the closer on a line of its own.
fn close(payload: &ParsedPayload<'_>, shape: &ObjectShape) -> Option<Fix> {
    if shape.unclosed == Code::UnclosedMarker {
        let edits = json_repair::completion(payload).filter(|edits| !edits.is_empty())?;
        return Some(Fix::new("Close the object", edits).preferred());
    }
    let line = format!("\n{}", payload.closer);
    let mut edits = match payload.root() {
        Some(_) => json_repair::completion(payload)?,
        None => vec![(Span::empty(payload.start), format!("\n{SKELETON}"))],
    };
    match (edits.last_mut(), payload.trailing_text()) {
        (Some((_, text)), _) => text.push_str(&line),
        // The closer is partly written.
        (None, Some(rest)) if is_partial_closer(rest.of(payload.text), payload.closer) => {
            edits.push((rest, payload.closer.to_owned()));
        }
        (None, _) => {
            let end = payload.start + payload.json.end as usize;
            let behind = payload.text.get(end..).or_never();
            let same_line = behind.split(['\n', '\r']).next().unwrap_or_default();
            // Text after the object on its line moves to a line of its own.
            let line_end = if same_line.trim().is_empty() { "" } else { "\n" };
            edits.push((Span::empty(end), line + line_end));
        }
    }
    let what = if shape.unclosed == Code::UnclosedTag { "tag" } else { "fence" };
    Some(Fix::new(format!("Close the {what}"), edits).preferred())
}

/// Inserts an empty call into an empty block, with a new line if the block has none.
fn skeleton(payload: &ParsedPayload<'_>) -> Fix {
    let line = if payload.text.is_empty() { "\n" } else { "" };
    let text = format!("{line}{SKELETON}");
    Fix::replace("Insert an empty call", Span::empty(payload.start), text).preferred()
}

/// The type of `value` with its article, for messages.
pub(super) fn with_article(value: Value<'_>) -> &'static str {
    match value.kind() {
        JsonKind::Null => "`null`",
        JsonKind::Bool => "a boolean",
        JsonKind::Number => "a number",
        JsonKind::String { .. } | JsonKind::Key { .. } => "a string",
        JsonKind::Array => "an array",
        JsonKind::Object => "an object",
        JsonKind::Missing => "nothing",
    }
}

fn first_line(text: &str, span: Span) -> Span {
    let covered = span.of(text);
    let len = covered.find(['\n', '\r']).unwrap_or(covered.len());
    Span::new(span.start as usize, span.start as usize + len)
}
