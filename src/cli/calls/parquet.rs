//! `calls --format parquet`: records in columns, which data frames and databases read without
//! parsing JSON.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::CallsArgs;
use super::columns::{COLUMNS, ColumnKind, ColumnValue, values};
use super::writer::RecordWriter;
use crate::features::call_records::CallRecord;

/// Limits of a row group, which is buffered in memory: the size of its texts in bytes, and its
/// number of rows.
const MAX_BYTES: usize = 32 << 20;
const MAX_ROWS: usize = 1 << 20;

/// Writes records as a Parquet file.
pub(super) struct Parquet<W: Write + Send> {
    out: SerializedFileWriter<W>,
    columns: [Column; COLUMNS.len()],
    /// Number of buffered rows, and the size of their texts in bytes.
    rows: usize,
    bytes: usize,
}

/// The values of a column that are present, and for each row its definition level: 1 if present,
/// else 0.
struct Column {
    values: Values,
    levels: Vec<i16>,
}

enum Values {
    Texts(Vec<ByteArray>),
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
}

impl<W: Write + Send> Parquet<W> {
    /// Creates a writer to `out` and writes the header.
    pub fn new(out: W) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("chatls version ", env!("CARGO_PKG_VERSION")).to_owned());
        let schema = schema().map_err(to_io)?;
        let out = SerializedFileWriter::new(out, schema, Arc::new(properties.build())).map_err(to_io)?;
        Ok(Self { out, columns: columns(), rows: 0, bytes: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        (self.rows, self.bytes) = (0, 0);
        let mut group = self.out.next_row_group()?;
        for column in std::mem::replace(&mut self.columns, columns()) {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        Ok(())
    }
}

impl<W: Write + Send> RecordWriter for Parquet<W> {
    type Rows = Vec<[ColumnValue; COLUMNS.len()]>;

    fn rows(_: &CallsArgs, each: impl FnOnce(&mut dyn FnMut(CallRecord<'_>))) -> Self::Rows {
        let mut rows = Vec::new();
        each(&mut |line| rows.push(values(line)));
        rows
    }

    fn write(&mut self, rows: Self::Rows) -> io::Result<()> {
        for cells in rows {
            self.bytes +=
                self.columns.iter_mut().zip(cells).map(|(column, cell)| column.push(cell)).sum::<usize>();
            self.rows += 1;
            if self.bytes >= MAX_BYTES || self.rows >= MAX_ROWS {
                self.write_group().map_err(to_io)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Nothing to flush: rows are written in row groups.
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group().map_err(to_io)?;
        }
        let mut out = self.out.into_inner().map_err(to_io)?;
        out.flush()
    }
}

impl Column {
    fn of(kind: ColumnKind) -> Self {
        let values = match kind {
            ColumnKind::Text | ColumnKind::Json => Values::Texts(Vec::new()),
            ColumnKind::Number => Values::Numbers(Vec::new()),
            ColumnKind::Flag => Values::Flags(Vec::new()),
        };
        Self { values, levels: Vec::new() }
    }

    /// Adds a row. Returns the size of its text in bytes.
    fn push(&mut self, cell: ColumnValue) -> usize {
        let (mut is_there, mut bytes) = (true, 0);
        match (&mut self.values, cell) {
            (Values::Texts(texts), ColumnValue::Text(Some(text))) => {
                bytes = text.len();
                texts.push(text.into_bytes().into());
            }
            (Values::Numbers(numbers), ColumnValue::Number(Some(number))) => {
                numbers.push(i64::try_from(number).unwrap_or(i64::MAX));
            }
            (Values::Flags(flags), ColumnValue::Flag(flag)) => flags.push(flag),
            _ => is_there = false,
        }
        self.levels.push(is_there.into());
        bytes
    }

    fn write(&self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&self.levels[..]);
        match &self.values {
            Values::Texts(texts) => writer.typed::<ByteArrayType>().write_batch(texts, levels, None),
            Values::Numbers(numbers) => writer.typed::<Int64Type>().write_batch(numbers, levels, None),
            Values::Flags(flags) => writer.typed::<BoolType>().write_batch(flags, levels, None),
        }?;
        Ok(())
    }
}

fn columns() -> [Column; COLUMNS.len()] {
    COLUMNS.map(|(_, kind, _)| Column::of(kind))
}

fn schema() -> Result<Arc<Type>, ParquetError> {
    let field = |name: &str, kind: ColumnKind| {
        let (physical, logical) = match kind {
            ColumnKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnKind::Json => (Physical::BYTE_ARRAY, Some(LogicalType::Json)),
            ColumnKind::Number => (Physical::INT64, None),
            ColumnKind::Flag => (Physical::BOOLEAN, None),
        };
        let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = COLUMNS.into_iter().map(|(name, kind, _)| field(name, kind)).collect::<Result<_, _>>()?;
    Type::group_type_builder("calls").with_fields(fields).build().map(Arc::new)
}

/// Converts an error. The kind is preserved: a broken pipe is not a failure.
fn to_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}
