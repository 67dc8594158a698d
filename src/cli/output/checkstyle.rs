//! `--format checkstyle`: a Checkstyle report, which many CI tools read.
//!
//! Source: Checkstyle's `XMLLogger`, and the readers of reviewdog and Jenkins. Columns count
//! characters from 1.

use std::io::{self, Write};

use super::xml::XmlWriter;
use crate::cli::output::diagnostic_output::{DiagnosticOutput, DiagnosticRow, DiagnosticTally};

/// Writes diagnostics, grouped into one element per file.
pub(super) struct Checkstyle<W: Write> {
    xml: XmlWriter<W>,
    is_begun: bool,
    /// The file whose element is open.
    file: Option<String>,
}

impl<W: Write> Checkstyle<W> {
    pub fn new(out: W) -> Self {
        Self { xml: XmlWriter::new(out), is_begun: false, file: None }
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        self.xml.declare()?;
        self.xml.begin("checkstyle", &[("version", "4.3")])
    }

    fn end_file(&mut self) -> io::Result<()> {
        self.file.take().map_or(Ok(()), |_| self.xml.end("file"))
    }
}

impl<W: Write> DiagnosticOutput for Checkstyle<W> {
    fn diagnostic(&mut self, row: &DiagnosticRow<'_>) -> io::Result<()> {
        self.begin()?;
        if self.file.as_deref() != Some(row.file) {
            self.end_file()?;
            self.xml.begin("file", &[("name", row.file)])?;
            self.file = Some(row.file.to_owned());
        }
        self.xml.empty(
            "error",
            &[
                ("line", &row.place.start.line.to_string()),
                ("column", &row.place.start.column.to_string()),
                ("severity", row.level(["error", "warning", "info"])),
                ("message", &row.problem.message),
                ("source", &format!("chatls.{}", row.problem.code.name())),
            ],
        )
    }

    fn finish(&mut self, _tally: &DiagnosticTally) -> io::Result<()> {
        self.begin()?;
        self.end_file()?;
        self.xml.end("checkstyle")?;
        self.xml.finish()
    }
}
