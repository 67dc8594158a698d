//! `--format github`: workflow commands, which GitHub Actions shows as annotations on the lines of
//! a change.
//!
//! Source: "Workflow commands for GitHub Actions", `::error
//! file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message`. The log of a job shows only the
//! message, so it starts with the location. Annotations of all tools are listed together, so titles
//! name this tool.

use crate::cli::console::printable_text;
use crate::cli::output::diagnostic_output::{DiagnosticRow, ListFormat, TextLocation};

/// Workflow commands.
pub(super) const GITHUB: ListFormat = ListFormat { row: command, ..ListFormat::LINES };

fn command(row: &DiagnosticRow<'_>) -> String {
    let (file, TextLocation { start, end }) = (row.file, row.place);
    let level = row.level(["error", "warning", "notice"]);
    // GitHub accepts columns only for ranges within one line.
    let columns = match start.line == end.line {
        true => format!(",col={},endColumn={}", start.column, end.column),
        false => String::new(),
    };
    let message = format!("{file}:{}:{}: {}", start.line, start.column, row.problem.message);
    format!(
        "::{level} file={},line={},endLine={}{columns},title=chatls ({})::{}\n",
        property(file),
        start.line,
        end.line,
        row.problem.code.name(),
        data(&message)
    )
}

fn data(text: &str) -> String {
    // Line breaks are encoded, other control characters are escaped.
    let encoded = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    printable_text(&encoded).into_owned()
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Diagnostic, Severity};
    use crate::fixes::FixableDiagnostic;
    use crate::text::Text;

    #[test]
    fn commands_are_one_line() {
        let text = Text::new("ab\né😀x\ny\n");
        let written = |range, severity, file: &str| {
            let problem = Diagnostic::new(Code::BadState, severity, range, "100%\nwrong: a, b");
            let diagnostic = FixableDiagnostic { problem, fixes: Vec::new() };
            command(&DiagnosticRow::new(file, Some(&text), &diagnostic, ""))
        };
        assert_eq!(
            written(5..9, Severity::Error, "a,b:c.md") + &written(3..11, Severity::Hint, "a.md"),
            "::error file=a%2Cb%3Ac.md,line=2,endLine=2,col=2,endColumn=3,title=chatls (bad-state)::a,b:c.md:2:2: 100%25%0Awrong: a, b\n\
             ::notice file=a.md,line=2,endLine=3,title=chatls (bad-state)::a.md:2:1: 100%25%0Awrong: a, b\n"
        );
    }
}
