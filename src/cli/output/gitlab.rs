//! `--format gitlab`: a Code Quality report, which GitLab shows in merge requests.
//!
//! Source: GitLab's "Code Quality", "Code Quality report format".

use serde_json::json;

use crate::cli::output::diagnostic_output::{DiagnosticRow, ListFormat};

/// One array.
pub(super) const GITLAB: ListFormat =
    ListFormat { row: issue, shows_fingerprints: true, ..ListFormat::ARRAY };

fn issue(row: &DiagnosticRow<'_>) -> String {
    let lines = json!({"begin": row.place.start.line, "end": row.place.end.line});
    let issue = json!({
        "description": row.problem.message,
        "check_name": row.problem.code.name(),
        "fingerprint": row.fingerprint,
        "severity": row.level(["major", "minor", "info"]),
        "location": {"path": row.file, "lines": lines},
    });
    format!("\n{issue}")
}
