//! `--format rdjson`: the Reviewdog Diagnostic Format, one object, with fixes as suggestions.
//!
//! Source: reviewdog's `proto/rdf/reviewdog.proto`. Columns count bytes from 1, and ends are
//! exclusive.

use std::ops::Range;

use serde_json::{Value, json};

use crate::cli::output::diagnostic_output::{DiagnosticRow, ListFormat, page_of};
use crate::text::Text;

/// One object.
pub(super) const RDJSON: ListFormat =
    ListFormat { begin, row: diagnostic, end: |_| "\n]}\n".to_owned(), ..ListFormat::ARRAY };

fn begin() -> String {
    let source = json!({"name": "chatls", "url": env!("CARGO_PKG_REPOSITORY")});
    format!("{{\"source\":{source},\"diagnostics\":[")
}

fn diagnostic(row: &DiagnosticRow<'_>) -> String {
    let (file, text, problem) = (row.file, row.text, row.problem);
    let place = |range: &Range<usize>| json!({"path": file, "range": range_of(text, range)});
    let mut rendered = json!({
        "message": problem.message,
        "location": place(&problem.range),
        "severity": row.level(["ERROR", "WARNING", "INFO"]),
        "code": {"value": problem.code.name(), "url": page_of(problem.code)},
    });
    // A suggestion is a single edit; fixes with several edits cannot be represented.
    let suggested = row.fixes.iter().find(|fix| fix.edits.len() == 1);
    if let Some((range, written)) = suggested.and_then(|fix| fix.edits.first()) {
        rendered["suggestions"] = json!([{"range": range_of(text, range), "text": written}]);
    }
    if !problem.related.is_empty() {
        let related = problem.related.iter();
        let related = related.map(|it| json!({"message": it.message, "location": place(&it.place)}));
        rendered["related_locations"] = related.collect();
    }
    format!("\n{rendered}")
}

/// Converts the bytes `range` of `text`; returns the start of the file if there is no text.
fn range_of(text: Option<&Text>, range: &Range<usize>) -> Value {
    let at = |offset: usize| {
        let Some(text) = text else { return json!({"line": 1, "column": 1}) };
        let line = text.line_of_byte(offset);
        json!({"line": line + 1, "column": offset.saturating_sub(text.byte_of_line(line)) + 1})
    };
    json!({"start": at(range.start), "end": at(range.end)})
}
