//! The columns of tables of tool uses, and a row of such a table.

use crate::features::call_records::{CallRecord, RecordJson};
use crate::json::quote;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Text,
    Json,
    Number,
    Flag,
}

/// A column: its name, the type of its values, and a function that takes its value out of a record.
type Column = (&'static str, ColumnKind, fn(&mut CallRecord<'_>) -> ColumnValue);

/// The keys of [`CallRecord`], for tabular formats.
pub(super) const COLUMNS: [Column; 18] = [
    ("file", ColumnKind::Text, |it| ColumnValue::Text(Some(it.file.to_owned()))),
    ("dialect", ColumnKind::Text, |it| ColumnValue::Text(Some(it.dialect.to_owned()))),
    ("kind", ColumnKind::Text, |it| ColumnValue::Text(Some(it.kind.to_owned()))),
    ("toolCallId", ColumnKind::Text, |it| ColumnValue::Text(it.tool_call_id.take())),
    ("toolName", ColumnKind::Text, |it| ColumnValue::Text(it.tool_name.take())),
    ("state", ColumnKind::Text, |it| ColumnValue::Text(it.state.take())),
    ("input", ColumnKind::Json, |it| json(it.input.take())),
    ("arguments", ColumnKind::Text, |it| ColumnValue::Text(it.arguments.take())),
    ("output", ColumnKind::Json, |it| json(it.output.take())),
    ("errorText", ColumnKind::Text, |it| ColumnValue::Text(it.error_text.take())),
    ("extra", ColumnKind::Json, extra),
    ("truncated", ColumnKind::Flag, |it| ColumnValue::Flag(it.truncated)),
    ("batch", ColumnKind::Number, |it| ColumnValue::Number(it.batch)),
    ("conversation", ColumnKind::Number, |it| ColumnValue::Number(it.conversation)),
    ("turn", ColumnKind::Number, |it| ColumnValue::Number(it.turn)),
    ("line", ColumnKind::Number, |it| ColumnValue::Number(Some(it.line))),
    ("endLine", ColumnKind::Number, |it| ColumnValue::Number(Some(it.end_line))),
    ("generatedId", ColumnKind::Flag, |it| ColumnValue::Flag(it.generated_id)),
];

/// The value of a column; `None` if the document has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ColumnValue {
    Text(Option<String>),
    Number(Option<usize>),
    Flag(bool),
}

/// The values of `record` in the order of [`COLUMNS`].
pub(super) fn values(mut record: CallRecord<'_>) -> [ColumnValue; COLUMNS.len()] {
    COLUMNS.map(|(_, _, value)| value(&mut record))
}

fn json(value: Option<RecordJson>) -> ColumnValue {
    ColumnValue::Text(value.map(|it| it.into_text()))
}

/// The other members of the tool use, as an object.
fn extra(record: &mut CallRecord<'_>) -> ColumnValue {
    let extra = std::mem::take(&mut record.extra).into_iter();
    let extra: Vec<_> = extra.map(|(key, value)| format!("{}:{}", quote(&key), value.into_text())).collect();
    ColumnValue::Text((!extra.is_empty()).then(|| format!("{{{}}}", extra.join(","))))
}
