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

/// A row of the file.
type ParquetRow = [ColumnValue; COLUMNS.len()];

/// Writes records as a Parquet file.
pub(super) struct Parquet<W: Write + Send> {
    out: SerializedFileWriter<W>,
    /// The rows of the next group, and the size of their texts in bytes.
    rows: Vec<ParquetRow>,
    bytes: usize,
}

impl<W: Write + Send> Parquet<W> {
    /// Creates a writer to `out` and writes the header.
    pub fn new(out: W) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("chatls version ", env!("CARGO_PKG_VERSION")).to_owned());
        let schema = schema().map_err(to_io)?;
        let out = SerializedFileWriter::new(out, schema, Arc::new(properties.build())).map_err(to_io)?;
        Ok(Self { out, rows: Vec::new(), bytes: 0 })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        self.bytes = 0;
        let mut rows = std::mem::take(&mut self.rows);
        let mut group = self.out.next_row_group()?;
        for (index, (_, kind, _)) in COLUMNS.iter().enumerate() {
            if let Some(mut writer) = group.next_column()? {
                write_column(*kind, rows.iter_mut().filter_map(|row| row.get_mut(index)), &mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        Ok(())
    }
}

impl<W: Write + Send> RecordWriter for Parquet<W> {
    type Rows = Vec<ParquetRow>;

    fn rows(_: &CallsArgs, each: impl FnOnce(&mut dyn FnMut(CallRecord<'_>))) -> Self::Rows {
        let mut rows = Vec::new();
        each(&mut |line| rows.push(values(line)));
        rows
    }

    fn write(&mut self, rows: Self::Rows) -> io::Result<()> {
        for row in rows {
            let texts = row.iter().map(|cell| match cell {
                ColumnValue::Text(Some(text)) => text.len(),
                _ => 0,
            });
            self.bytes += texts.sum::<usize>();
            self.rows.push(row);
            if self.bytes >= MAX_BYTES || self.rows.len() >= MAX_ROWS {
                self.write_group().map_err(to_io)?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.write_group().map_err(to_io)?;
        }
        let mut out = self.out.into_inner().map_err(to_io)?;
        out.flush()
    }
}

/// Writes the cells of a column, whose texts are taken out.
fn write_column<'c>(
    kind: ColumnKind,
    cells: impl Iterator<Item = &'c mut ColumnValue>,
    writer: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let (mut texts, mut numbers, mut flags) = (Vec::<ByteArray>::new(), Vec::new(), Vec::new());
    // For each row its definition level: 1 if its value is present, else 0.
    let mut levels = Vec::new();
    for cell in cells {
        let is_there = !matches!(cell, ColumnValue::Text(None) | ColumnValue::Number(None));
        levels.push(is_there.into());
        match cell {
            ColumnValue::Text(text) => texts.extend(text.take().map(|text| text.into_bytes().into())),
            ColumnValue::Number(number) => {
                numbers.extend(number.map(|number| i64::try_from(number).unwrap_or(i64::MAX)));
            }
            ColumnValue::Flag(flag) => flags.push(*flag),
        }
    }
    let levels = Some(&*levels);
    match kind {
        ColumnKind::Text | ColumnKind::Json => {
            writer.typed::<ByteArrayType>().write_batch(&texts, levels, None)
        }
        ColumnKind::Number => writer.typed::<Int64Type>().write_batch(&numbers, levels, None),
        ColumnKind::Flag => writer.typed::<BoolType>().write_batch(&flags, levels, None),
    }?;
    Ok(())
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
