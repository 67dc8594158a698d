//! Collects the diagnostics of a configuration and its registries while they are read.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Settings;
use crate::config::files::FileDiagnostic;
use crate::config::node::ConfigError;
use crate::config::sources::SourceDiagnostic;
use crate::diagnostic::{Code, Severity};

/// Collected diagnostics, before their severities are known.
#[derive(Default)]
pub(super) struct ConfigReport {
    path: Option<PathBuf>,
    text: Option<Arc<str>>,
    problems: Vec<FileDiagnostic>,
    /// The diagnostics of extended configurations, with known severities.
    inherited: Vec<FileDiagnostic>,
    /// The requested files, in order.
    pub sources: Vec<PathBuf>,
    /// The requested files of other clients, and the cached listings of servers.
    pub client_files: Vec<PathBuf>,
}

impl ConfigReport {
    /// Sets the file of the following diagnostics to `path`.
    pub fn origin(&mut self, path: Option<PathBuf>, text: Option<Arc<str>>) {
        self.path = path;
        self.text = text;
    }

    /// Adds errors in the current file.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = ConfigError>) {
        for fault in faults {
            self.push(Code::Config, fault);
        }
    }

    /// Adds an error in the current file.
    pub fn push(&mut self, code: Code, fault: ConfigError) {
        let ConfigError { span: range, message, fixes } = fault;
        let (message, fixes) = match self.path {
            Some(_) => (message, fixes),
            None => (format!("in the editor's settings: {message}"), Vec::new()),
        };
        let (path, text) = (self.path.clone(), self.text.clone());
        self.problems.push(FileDiagnostic {
            path,
            text,
            range,
            code,
            severity: Severity::Error,
            message,
            fixes,
        });
    }

    /// Adds diagnostics of sources.
    pub fn add_sources(&mut self, problems: impl IntoIterator<Item = SourceDiagnostic>) {
        for problem in problems {
            match problem {
                SourceDiagnostic::Named { code, fault } => self.push(code, fault),
                SourceDiagnostic::Inside { path, text, problem } => self.problems.push(FileDiagnostic {
                    path: Some(path),
                    text: Some(text),
                    range: problem.range,
                    code: Code::Registry,
                    severity: Severity::Error,
                    message: problem.message,
                    fixes: problem.fixes,
                }),
            }
        }
    }

    /// Adds the diagnostics of an extended configuration, and its files.
    pub fn inherit_problems(&mut self, problems: &[FileDiagnostic], sources: &[PathBuf]) {
        self.inherited.extend(problems.iter().filter(|problem| problem.path.is_some()).cloned());
        self.sources.extend_from_slice(sources);
    }

    /// The diagnostics with their severities, by file and position; diagnostics that are off are
    /// omitted.
    pub fn finish(&mut self, settings: &Settings) -> Arc<[FileDiagnostic]> {
        let mut problems = std::mem::take(&mut self.problems);
        problems.retain_mut(|problem| match settings.severity(problem.code) {
            Some(severity) => {
                problem.severity = severity;
                true
            }
            None => false,
        });
        problems.append(&mut self.inherited);
        // Files stay in the order in which they were read.
        let order = |problem: &FileDiagnostic| {
            let source = self.sources.iter().position(|source| Some(source) == problem.path.as_ref());
            (source, problem.range.start)
        };
        problems.sort_by_key(order);
        problems.into()
    }
}
