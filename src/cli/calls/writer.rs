//! Output formats of records: one type per `--format`.

use std::borrow::Cow;
use std::io::{self, Write};

use super::CallsArgs;
use super::columns::{COLUMNS, ColumnKind, ColumnValue, values};
use crate::cli::escape::{csv_json, csv_text};
use crate::features::call_records::CallRecord;

/// An output format of records.
pub(super) trait RecordWriter {
    /// The formatted records of one document.
    type Rows: Send;

    /// Formats the records that `each` yields, with the options of `command`. Called on several
    /// threads.
    fn rows(command: &CallsArgs, each: impl FnOnce(&mut dyn FnMut(CallRecord<'_>))) -> Self::Rows;

    /// Writes the formatted records.
    fn write(&mut self, rows: Self::Rows) -> io::Result<()>;

    /// Formats and writes one record, with the options of `command`.
    fn write_record(&mut self, command: &CallsArgs, record: CallRecord<'_>) -> io::Result<()> {
        self.write(Self::rows(command, |visit| visit(record)))
    }

    /// Flushes the output, if the format allows it.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes the end of the output.
    fn finish(self) -> io::Result<()>;
}

/// The JSON Lines format.
pub(super) struct CallsJsonLines<W>(pub W);

impl<W: Write> RecordWriter for CallsJsonLines<W> {
    type Rows = io::Result<Vec<u8>>;

    fn rows(_: &CallsArgs, each: impl FnOnce(&mut dyn FnMut(CallRecord<'_>))) -> Self::Rows {
        let mut rows = Ok(Vec::new());
        each(&mut |line| {
            if let Ok(written) = &mut rows {
                match serde_json::to_writer(&mut *written, &line) {
                    Ok(()) => written.push(b'\n'),
                    Err(error) => rows = Err(error.into()),
                }
            }
        });
        rows
    }

    fn write(&mut self, rows: Self::Rows) -> io::Result<()> {
        self.0.write_all(&rows?)
    }

    /// Long values are not copied to a buffer.
    fn write_record(&mut self, _: &CallsArgs, record: CallRecord<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, &record)?;
        self.0.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The CSV format, with a header.
pub(super) struct Csv<W>(W);

impl<W: Write> Csv<W> {
    /// Creates a writer to `out` and writes the header.
    pub fn new(mut out: W) -> io::Result<Self> {
        writeln!(out, "{}", COLUMNS.map(|(name, ..)| name).join(","))?;
        Ok(Self(out))
    }
}

impl<W: Write> RecordWriter for Csv<W> {
    type Rows = io::Result<Vec<u8>>;

    fn rows(command: &CallsArgs, each: impl FnOnce(&mut dyn FnMut(CallRecord<'_>))) -> Self::Rows {
        let mut rows = csv::Writer::from_writer(Vec::new());
        let mut result = Ok(());
        each(&mut |line| {
            if result.is_ok() {
                result = rows.write_record(cells(line, command));
            }
        });
        result?;
        rows.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }

    fn write(&mut self, rows: Self::Rows) -> io::Result<()> {
        self.0.write_all(&rows?)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Formats the cells of `record`.
fn cells(record: CallRecord<'_>, command: &CallsArgs) -> impl Iterator<Item = String> {
    values(record).into_iter().zip(COLUMNS).map(|(cell, (_, kind, _))| match cell {
        ColumnValue::Text(text) => written(text.unwrap_or_default(), kind, command),
        ColumnValue::Number(number) => number.map(|number| number.to_string()).unwrap_or_default(),
        ColumnValue::Flag(flag) => flag.to_string(),
    })
}

/// Formats `text` as a cell of a column of type `kind`.
fn written(text: String, kind: ColumnKind, command: &CallsArgs) -> String {
    let escaped = match kind {
        _ if command.csv_raw => return text,
        ColumnKind::Json => csv_json(&text),
        ColumnKind::Text | ColumnKind::Number | ColumnKind::Flag => csv_text(&text),
    };
    match escaped {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    }
}
