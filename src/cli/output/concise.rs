//! `--format concise`: one diagnostic per line, as compilers print them: `file:line:column:
//! severity[code] message`.

use anstyle::Style;

use crate::cli::console::{color_of, printable};
use crate::cli::output::diagnostic_output::{DiagnosticRow, DiagnosticTally, ListFormat};

const FILE: Style = Style::new().bold();

/// One line per diagnostic, with styles.
pub(super) const CONCISE: ListFormat =
    ListFormat { row: line, end: DiagnosticTally::last_line, ..ListFormat::LINES };

fn line(row: &DiagnosticRow<'_>) -> String {
    let (style, severity) = (color_of(row.problem.severity).on_default().bold(), row.problem.severity.name());
    let (file, code) = (printable(row.file), row.problem.code.name());
    let (start, message) = (row.place.start, printable(&row.problem.message));
    format!(
        "{FILE}{file}{FILE:#}:{}:{}: {style}{severity}[{code}]{style:#} {message}\n",
        start.line, start.column
    )
}
