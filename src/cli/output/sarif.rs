//! `--format sarif`: SARIF 2.1.0 for code scanning services, with rules, fixes and fingerprints.
//!
//! Diagnostics are written one at a time; only the parts before and after them are built at once.

use std::ops::Range;
use std::path::{Component, Path};

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use url::Url;

use crate::cli::output::diagnostic_output::{
    DiagnosticRow, DiagnosticTally, ListFormat, TextLocation, level_of, page_of,
};
use crate::diagnostic::{Code, Severity};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Characters that are percent-encoded in a path segment.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Characters that the URL Standard allows in paths, but RFC 3986 does not.
const BEYOND_URIS: &AsciiSet = &CONTROLS.add(b'[').add(b']').add(b'|').add(b'^').add(b'\\');

/// The names of severities.
const LEVELS: [&str; 3] = ["error", "warning", "note"];

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// One SARIF log.
pub(super) const SARIF: ListFormat = ListFormat {
    begin,
    row: |row| format!("\n{}", result(row)),
    between: ",",
    end,
    shows_fingerprints: true,
};

fn begin() -> String {
    let driver = json!({
        "name": "chatls",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": REPOSITORY,
        "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<_>>(),
    });
    format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
         \"columnKind\":\"unicodeCodePoints\",\"newlineSequences\":[\"\\r\\n\",\"\\n\",\"\\r\"],\"results\":["
    )
}

fn end(tally: &DiagnosticTally) -> String {
    // After an error, services must not treat the results as complete.
    let invocation = json!({"executionSuccessful": !tally.failed});
    format!("\n],\"invocations\":[{invocation}]}}]}}\n")
}

fn rule(code: Code) -> Value {
    let severity = code.default_severity();
    let level = level_of(severity.unwrap_or(Severity::Warning), LEVELS);
    let mut rule = json!({
        "id": code.name(),
        "shortDescription": {"text": code.summary()},
        "fullDescription": {"text": code.why()},
        "helpUri": page_of(code),
        "help": {"text": code.page(), "markdown": code.page()},
        "defaultConfiguration": {"enabled": severity.is_some(), "level": level},
    });
    if code == Code::Secret {
        // GitHub lists rules with these properties as security alerts; scores from 7.0 are high.
        rule["properties"] = json!({"tags": ["security"], "security-severity": "8.0"});
    }
    rule
}

fn result(row: &DiagnosticRow<'_>) -> Value {
    let problem = row.problem;
    let location = |range| json!({"artifactLocation": artifact(row.file), "region": region(row, range)});
    let mut result = json!({
        "ruleId": problem.code.name(),
        "ruleIndex": Code::ALL.iter().position(|code| *code == problem.code),
        "level": row.level(LEVELS),
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": location(&problem.range)}],
        "partialFingerprints": {"chatls/v1": row.fingerprint},
    });
    if !problem.related.is_empty() {
        let related = problem.related.iter().map(|related| {
            json!({"physicalLocation": location(&related.place), "message": {"text": related.message}})
        });
        result["relatedLocations"] = related.collect();
    }
    if !row.fixes.is_empty() {
        let replacement = |(range, written): &(Range<usize>, String)| json!({"deletedRegion": region(row, range), "insertedContent": {"text": written}});
        let fixes = row.fixes.iter().map(|fix| {
            let replacements: Vec<Value> = fix.edits.iter().map(replacement).collect();
            json!({
                "description": {"text": fix.title},
                "artifactChanges": [{"artifactLocation": artifact(row.file), "replacements": replacements}],
            })
        });
        result["fixes"] = fixes.collect();
    }
    result
}

fn region(row: &DiagnosticRow<'_>, range: &Range<usize>) -> Value {
    let TextLocation { start, end } = row.place_of(range);
    json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
}

/// Returns the artifact location of a file: a relative reference (RFC 3986) for files below the
/// working folder, else an absolute URI. The name of a record may be a URI.
fn artifact(file: &str) -> Value {
    let path = Path::new(file);
    let leads_out = path.components().any(|part| part == Component::ParentDir);
    let uri = match path.is_absolute() || leads_out {
        true => absolute(path),
        false => Url::parse(file).ok().filter(|_| file.contains("://")).map(Into::into),
    };
    json!({"uri": uri.unwrap_or_else(|| file.split('/').map(encoded).collect::<Vec<_>>().join("/"))})
}

fn absolute(path: &Path) -> Option<String> {
    let url = Url::from_file_path(std::path::absolute(path).ok()?).ok()?;
    // Parsing again removes `..` segments.
    let url = Url::parse(url.as_str()).ok()?;
    Some(utf8_percent_encode(url.as_str(), BEYOND_URIS).to_string())
}

fn encoded(part: &str) -> String {
    utf8_percent_encode(part, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_uris() {
        let uri = |file: &str| artifact(file)["uri"].as_str().unwrap().to_owned();
        assert_eq!(uri("a b/é#%?.md"), "a%20b/%C3%A9%23%25%3F.md");
        assert_eq!(uri("a:b.md"), "a%3Ab.md");
        assert_eq!(uri("s3://bucket/a b.md"), "s3://bucket/a%20b.md");
        if cfg!(unix) {
            assert_eq!(uri("/srv/[a] {b}?.md"), "file:///srv/%5Ba%5D%20%7Bb%7D%3F.md");
            let above = std::env::current_dir().unwrap().parent().unwrap().join("a.md");
            assert_eq!(uri("../a.md"), Url::from_file_path(above).unwrap().as_str());
        }
    }
}
