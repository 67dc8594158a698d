//! How records are written: one type per `--format`.

use std::io::{self, Write};

use super::Format;
use super::line::{COLUMNS, Cell, Line};
use super::parquet::Parquet;

/// A way of writing records.
pub(super) trait Writer {
    /// Writes one record.
    fn write(&mut self, line: Line<'_>) -> io::Result<()>;

    /// Writes what stands at the end.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The writer of `format`, to `out`.
pub(super) fn writer(format: Format, out: impl Write + Send + 'static) -> io::Result<Box<dyn Writer>> {
    Ok(match format {
        Format::Jsonl => Box::new(JsonLines(out)),
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(COLUMNS.map(|(name, _)| name)).map_err(to_io)?;
            Box::new(csv)
        }
        Format::Parquet => Box::new(Parquet::new(out)?),
    })
}

struct JsonLines<W>(W);

impl<W: Write> Writer for JsonLines<W> {
    fn write(&mut self, line: Line<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, &line)?;
        self.0.write_all(b"\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Writer for csv::Writer<W> {
    fn write(&mut self, line: Line<'_>) -> io::Result<()> {
        let cells = line.into_cells().map(|cell| match cell {
            Cell::Text(text) => text.unwrap_or_default(),
            Cell::Number(number) => number.map(|number| number.to_string()).unwrap_or_default(),
            Cell::Flag(flag) => flag.to_string(),
        });
        self.write_record(cells).map_err(to_io)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}

/// With its kind: a reader that has left is no failure.
fn to_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
