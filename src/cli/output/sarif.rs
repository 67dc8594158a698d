//! `--format sarif`: SARIF 2.1.0, which code scanning services take, with rules, fixes and fingerprints.
//!
//! Findings are written as they come; only what stands before and behind them is made at once.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};
use url::form_urlencoded;

use super::fingerprint::{Fingerprints, slashed};
use super::{Output, Place, Tally};
use crate::document::Fixable;
use crate::rules::{Code, Severity};
use crate::text::Text;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes findings as one SARIF log.
pub(super) struct Sarif<W: Write> {
    out: W,
    is_empty: bool,
    fingerprints: Fingerprints,
}

impl<W: Write> Sarif<W> {
    pub fn new(out: W) -> Self {
        Self { out, is_empty: true, fingerprints: Fingerprints::default() }
    }

    /// What stands before the findings.
    fn begin(&mut self) -> io::Result<()> {
        let driver = json!({
            "name": "chatls",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<_>>(),
        });
        write!(
            self.out,
            "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
             \"columnKind\":\"unicodeCodePoints\",\"results\":["
        )
    }
}

impl<W: Write> Output for Sarif<W> {
    fn finding(&mut self, file: &str, text: Option<&Text>, finding: &Fixable) -> io::Result<()> {
        if std::mem::take(&mut self.is_empty) {
            self.begin()?;
        } else {
            self.out.write_all(b",")?;
        }
        self.out.write_all(b"\n")?;
        let fingerprint = self.fingerprints.of(file, text, &finding.problem);
        serde_json::to_writer(&mut self.out, &result(file, text, finding, &fingerprint)).map_err(Into::into)
    }

    fn shows_fixes(&self) -> bool {
        true
    }

    fn finish(&mut self, _tally: &Tally) -> io::Result<()> {
        if self.is_empty {
            self.begin()?;
        }
        self.out.write_all(b"\n]}]}\n")?;
        self.out.flush()
    }
}

fn rule(code: Code) -> Value {
    let severity = code.default_severity();
    json!({
        "id": code.name(),
        "shortDescription": {"text": code.summary()},
        "help": {"text": code.page(), "markdown": code.page()},
        "defaultConfiguration": {"enabled": severity.is_some(), "level": level(severity.unwrap_or(Severity::Warning))},
    })
}

fn result(file: &str, text: Option<&Text>, finding: &Fixable, fingerprint: &str) -> Value {
    let problem = &finding.problem;
    let mut result = json!({
        "ruleId": problem.code.name(),
        "ruleIndex": Code::ALL.iter().position(|code| *code == problem.code),
        "level": level(problem.severity),
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": location(file, text, &problem.range)}],
        "partialFingerprints": {"chatls/v1": fingerprint},
    });
    if !problem.related.is_empty() {
        let related = problem.related.iter().map(|related| {
            json!({"physicalLocation": location(file, text, &related.place), "message": {"text": related.message}})
        });
        result["relatedLocations"] = related.collect();
    }
    if !finding.fixes.is_empty() {
        let fixes = finding.fixes.iter().map(|fix| {
            let replacements: Vec<Value> = fix
                .edits
                .iter()
                .map(|(range, written)| json!({"deletedRegion": region(text, range), "insertedContent": {"text": written}}))
                .collect();
            json!({
                "description": {"text": fix.title},
                "artifactChanges": [{"artifactLocation": artifact(file), "replacements": replacements}],
            })
        });
        result["fixes"] = fixes.collect();
    }
    result
}

fn location(file: &str, text: Option<&Text>, range: &Range<usize>) -> Value {
    json!({"artifactLocation": artifact(file), "region": region(text, range)})
}

fn region(text: Option<&Text>, range: &Range<usize>) -> Value {
    let Place { start, end } = Place::of(text, range);
    json!({"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column})
}

/// A file by its name as a relative reference (RFC 3986), from where the program ran.
fn artifact(file: &str) -> Value {
    let file = slashed(file);
    let parts = file.split('/').map(|part| {
        let encoded: String = form_urlencoded::byte_serialize(part.as_bytes()).collect();
        encoded.replace('+', "%20")
    });
    json!({"uri": parts.collect::<Vec<_>>().join("/")})
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}
