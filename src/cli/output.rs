//! Output formats of diagnostics: one file per `--format`.
//!
//! Most are a [`ListFormat`](diagnostic_output::ListFormat).

pub mod diagnostic_output;

use crate::cli::output::diagnostic_output::{DiagnosticOutput, ListOutput};

use super::escape::Escaping;
use crate::diagnostic::Severity;

mod checkstyle;
mod concise;
mod fingerprint;
mod github;
mod gitlab;
mod human;
mod jsonl;
mod junit;
mod rdjson;
mod sarif;
mod target;
mod xml;

pub(super) use fingerprint::Fingerprints;
pub(super) use target::{OutputSink, OutputTarget};

/// The `--format` of diagnostics.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum DiagnosticFormat {
    /// For people: the message, and the source line with carets
    Human,
    /// For people and editors: one line each, `file:line:column: severity[code] message`
    Concise,
    /// For programs: JSON Lines
    Jsonl,
    /// For programs: one JSON array
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For GitHub Actions: annotations
    Github,
    /// For GitLab: a Code Quality report
    Gitlab,
    /// For test reports: JUnit XML
    Junit,
    /// For many CI tools: a Checkstyle report
    Checkstyle,
    /// For reviewdog: the Reviewdog Diagnostic Format
    Rdjson,
}

impl DiagnosticFormat {
    /// Creates a writer to `sink`. Diagnostics at or above `fail_on` make the command fail.
    pub fn output(self, sink: OutputSink, fail_on: Severity) -> Box<dyn DiagnosticOutput> {
        let people = |sink: OutputSink, format| Box::new(ListOutput::new(sink.styled(), format));
        let json = |sink: OutputSink, format| Box::new(ListOutput::new(Escaping::json(sink.plain()), format));
        match self {
            Self::Human => people(sink, human::HUMAN),
            Self::Concise => people(sink, concise::CONCISE),
            Self::Jsonl => json(sink, jsonl::JSONL),
            Self::Json => json(sink, jsonl::JSON),
            Self::Sarif => json(sink, sarif::SARIF),
            Self::Gitlab => json(sink, gitlab::GITLAB),
            Self::Rdjson => json(sink, rdjson::RDJSON),
            Self::Github => Box::new(ListOutput::new(Escaping::text(sink.plain()), github::GITHUB)),
            Self::Junit => Box::new(junit::JUnit::new(sink.plain(), fail_on)),
            Self::Checkstyle => Box::new(checkstyle::Checkstyle::new(sink.plain())),
        }
    }

    /// True if the format includes fixes.
    pub fn shows_fixes(self) -> bool {
        matches!(self, Self::Jsonl | Self::Json | Self::Sarif | Self::Rdjson)
    }

    /// True if the output is a single report, which is incomplete until its end.
    pub fn is_one_report(self) -> bool {
        matches!(self, Self::Sarif | Self::Gitlab | Self::Junit | Self::Checkstyle | Self::Rdjson)
    }
}
