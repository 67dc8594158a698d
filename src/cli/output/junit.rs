//! `--format junit`: a JUnit report with a suite for each file with diagnostics, and a case for
//! each diagnostic.
//!
//! Source: `junit-10.xsd` of Jenkins' xUnit plugin. A case fails if its diagnostic makes the
//! command fail; less severe diagnostics are cases that pass, with the diagnostic as their output.
//! A suite states the number of its cases first, so all cases are stored until the end.

use std::io::{self, Write};

use super::xml::XmlWriter;
use crate::cli::output::diagnostic_output::{DiagnosticOutput, DiagnosticRow, DiagnosticTally};
use crate::diagnostic::{Code, Severity};

/// Writes diagnostics as test cases.
pub(super) struct JUnit<W: Write> {
    xml: XmlWriter<W>,
    fail_on: Severity,
    suites: Vec<Suite>,
}

struct Suite {
    file: String,
    cases: Vec<Case>,
}

struct Case {
    code: Code,
    severity: Severity,
    line: usize,
    column: usize,
    message: String,
}

impl<W: Write> JUnit<W> {
    /// Creates a writer to `out`. Diagnostics at or above `fail_on` are failures.
    pub fn new(out: W, fail_on: Severity) -> Self {
        Self { xml: XmlWriter::new(out), fail_on, suites: Vec::new() }
    }

    fn failures(&self, suite: &Suite) -> usize {
        suite.cases.iter().filter(|case| case.severity >= self.fail_on).count()
    }

    fn suite(&mut self, suite: &Suite) -> io::Result<()> {
        let (tests, failures) = (suite.cases.len().to_string(), self.failures(suite).to_string());
        let counts = [("tests", tests.as_str()), ("failures", &failures), ("errors", "0"), ("time", "0")];
        self.xml.begin("testsuite", &[&[("name", suite.file.as_str())], &counts[..]].concat())?;
        suite.cases.iter().try_for_each(|case| self.case(&suite.file, case))?;
        self.xml.end("testsuite")
    }

    fn case(&mut self, file: &str, case: &Case) -> io::Result<()> {
        let Case { code, severity, line, column, message } = case;
        let (code, severity_name) = (code.name(), severity.name());
        let name = format!("{code} ({line}:{column})");
        let full = format!("{file}:{line}:{column}: {severity_name}[{code}] {message}");
        self.xml.begin("testcase", &[("name", &name), ("classname", file), ("time", "0")])?;
        match *severity >= self.fail_on {
            true => self.xml.text("failure", &[("type", severity_name), ("message", message)], &full)?,
            false => self.xml.text("system-out", &[], &full)?,
        }
        self.xml.end("testcase")
    }

    /// Writes a suite for the run itself: readers consider a report without cases broken.
    fn run(&mut self, tally: &DiagnosticTally) -> io::Result<()> {
        let errors = if tally.failed { "1" } else { "0" };
        let counts = [("tests", "1"), ("failures", "0"), ("errors", errors), ("time", "0")];
        self.xml.begin("testsuite", &[&[("name", "chatls check")], &counts[..]].concat())?;
        let case = [("name", "every document was read"), ("classname", "chatls check"), ("time", "0")];
        if tally.failed {
            self.xml.begin("testcase", &case)?;
            let message = "some documents or configurations could not be read; see the log";
            self.xml.text("error", &[("type", "unreadable"), ("message", message)], message)?;
            self.xml.end("testcase")?;
        } else {
            self.xml.empty("testcase", &case)?;
        }
        self.xml.end("testsuite")
    }
}

impl<W: Write> DiagnosticOutput for JUnit<W> {
    fn diagnostic(&mut self, row: &DiagnosticRow<'_>) -> io::Result<()> {
        let case = Case {
            code: row.problem.code,
            severity: row.problem.severity,
            line: row.place.start.line,
            column: row.place.start.column,
            message: row.problem.message.clone(),
        };
        match self.suites.last_mut().filter(|suite| suite.file == row.file) {
            Some(suite) => suite.cases.push(case),
            None => self.suites.push(Suite { file: row.file.to_owned(), cases: vec![case] }),
        }
        Ok(())
    }

    fn finish(&mut self, tally: &DiagnosticTally) -> io::Result<()> {
        let suites = std::mem::take(&mut self.suites);
        let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
        let failures: usize = suites.iter().map(|suite| self.failures(suite)).sum();
        let (tests, failures) = ((tests + 1).to_string(), failures.to_string());
        let errors = if tally.failed { "1" } else { "0" };
        self.xml.declare()?;
        let counts = [("tests", tests.as_str()), ("failures", &failures), ("errors", errors), ("time", "0")];
        self.xml.begin("testsuites", &[&[("name", "chatls")], &counts[..]].concat())?;
        self.run(tally)?;
        suites.iter().try_for_each(|suite| self.suite(suite))?;
        self.xml.end("testsuites")?;
        self.xml.finish()
    }
}
