//! `--format jsonl` and `--format json`: an object for each diagnostic, for programs.

use serde_json::{Value, json};

use crate::cli::output::diagnostic_output::{DiagnosticRow, ListFormat};
use crate::text::position::PrintedPosition;

/// One object per line.
pub(super) const JSONL: ListFormat =
    ListFormat { row: |row| format!("{}\n", object(row)), ..ListFormat::LINES };
/// One array with these objects.
pub(super) const JSON: ListFormat =
    ListFormat { row: |row| format!("\n{}", object(row)), ..ListFormat::ARRAY };

fn object(row: &DiagnosticRow<'_>) -> Value {
    let position = |at: PrintedPosition| json!({"line": at.line, "column": at.column});
    json!({
        "file": row.file,
        "code": row.problem.code.name(),
        "severity": row.problem.severity.name(),
        "message": row.problem.message,
        "start": position(row.place.start),
        "end": position(row.place.end),
        "fixes": row.fixes.iter().map(|fix| json!({"title": fix.title})).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
    use crate::fixes::FixableDiagnostic;
    use crate::text::Text;

    #[test]
    fn lines_have_all_keys() {
        let text = Text::new("ab\r\né😀\"x\"\n");
        let problem = Diagnostic::new(Code::BadState, Severity::Error, 10..13, "no \"state\"");
        let fix = |title: &str| Fix::new(title, Vec::new());
        let fixes = vec![fix("Do this"), fix("Or \"that\"")];
        let fixable = FixableDiagnostic { problem: problem.clone(), fixes };
        let hopeless = FixableDiagnostic { problem, fixes: Vec::new() };
        let line = |file, text, found| (JSONL.row)(&DiagnosticRow::new(file, text, found, ""));
        assert_eq!(
            line("a.md", Some(&text), &fixable) + &line("b.toml", None, &hopeless),
            "{\"file\":\"a.md\",\"code\":\"bad-state\",\"severity\":\"error\",\"message\":\"no \\\"state\\\"\",\
             \"start\":{\"line\":2,\"column\":3},\"end\":{\"line\":2,\"column\":6},\"fixes\":[{\"title\":\"Do this\"},{\"title\":\"Or \\\"that\\\"\"}]}\n\
             {\"file\":\"b.toml\",\"code\":\"bad-state\",\"severity\":\"error\",\"message\":\"no \\\"state\\\"\",\
             \"start\":{\"line\":1,\"column\":1},\"end\":{\"line\":1,\"column\":1},\"fixes\":[]}\n"
        );
    }
}
