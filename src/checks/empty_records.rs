//! Empty texts in the records of Claude Code's sessions.
//!
//! Claude Code resumes a session by sending its records. Anthropic's server rejects empty texts, so
//! a session that ends in an interrupted answer without text cannot be resumed.

use std::ops::Range;

use crate::checks::problem::{Cause, Problem};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Document;
use crate::json::Value;
use crate::messages::exchange::inner_message;
use crate::text::Span;

/// The model name of an answer that Claude Code writes in place of an interrupted one.
const SYNTHETIC: &str = "<synthetic>";

/// A text without content.
struct EmptyText {
    /// The document range of its part, or of a content without parts.
    part: Range<usize>,
    /// The document range of its text.
    text: Range<usize>,
}

impl Document {
    /// The problems of empty texts of a session.
    pub(super) fn empty_record_problems(&self) -> Vec<Problem> {
        let Some(severity) = self.settings().severity(Code::EmptyContent) else { return Vec::new() };
        if !self.is_message_log() || self.is_summarized() {
            return Vec::new();
        }
        let last = self.tree().previous_attached(self.tree().len(), |sum| sum.records > 0);
        let empty = self.tree().attached(|sum| sum.empty_records);
        let mut indices: Vec<_> = empty.map(|located| located.index).collect();
        indices.extend(last.filter(|last| indices.last() != Some(last)));
        let found = indices.into_iter().flat_map(|index| self.empty_texts(index, Some(index) == last));
        let problem = |found: EmptyText| {
            let message =
                "this text is empty: a session with it cannot be resumed, because the API rejects it";
            let severity = severity.min(Severity::Warning);
            let diagnostic = Diagnostic::new(Code::EmptyContent, severity, found.text, message.to_owned());
            Problem { diagnostic, cause: Cause::EmptyText(found.part) }
        };
        found.map(problem).collect()
    }

    /// The empty texts of the record at `index`, which is the last one if `is_last`.
    fn empty_texts(&self, index: usize, is_last: bool) -> Vec<EmptyText> {
        let offset = self.tree().offset_of(index);
        let place = |span: Span| span.range_at(offset);
        let found = self.with_record(index, |root| {
            let message = inner_message(root);
            message.get("role")?;
            let is_ended = is_last && is_ended(message);
            let content = message.get("content")?;
            if is_ended && content.items().next().is_none() && content.as_str().is_none_or(|it| it.is_empty())
            {
                let text = place(content.span());
                return Some(vec![EmptyText { part: text.clone(), text }]);
            }
            let empty = |part: Value<'_>| {
                let is_text = part.get("type").and_then(Value::as_str).as_deref() == Some("text");
                let text = part.get("text").filter(|_| is_text)?;
                let written = text.as_str()?;
                (written.is_empty() || is_ended && written == SYNTHETIC)
                    .then(|| EmptyText { part: place(part.span()), text: place(text.span()) })
            };
            Some(content.items().filter_map(empty).collect())
        });
        // A record that is still being written has no end.
        found.filter(|found| !found.is_empty() && self.valid_value_end(offset).is_some()).unwrap_or_default()
    }
}

/// True if an answer was ended before its first token.
fn is_ended(message: Value<'_>) -> bool {
    let tokens = message.get("usage").and_then(|usage| usage.get("output_tokens")?.as_f64());
    let reason = message.get("stop_reason").and_then(Value::as_str);
    reason.as_deref() == Some("stop_sequence") && tokens == Some(0.0)
}
