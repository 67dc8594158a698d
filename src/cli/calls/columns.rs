//! The columns of tables of tool uses, and a row of one.

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

/// The keys of [`CallRecord`], for tabular formats.
pub(super) const COLUMNS: [(&str, ColumnKind); 18] = [
    ("file", ColumnKind::Text),
    ("dialect", ColumnKind::Text),
    ("kind", ColumnKind::Text),
    ("toolCallId", ColumnKind::Text),
    ("toolName", ColumnKind::Text),
    ("state", ColumnKind::Text),
    ("input", ColumnKind::Json),
    ("arguments", ColumnKind::Text),
    ("output", ColumnKind::Json),
    ("errorText", ColumnKind::Text),
    ("extra", ColumnKind::Json),
    ("truncated", ColumnKind::Flag),
    ("batch", ColumnKind::Number),
    ("conversation", ColumnKind::Number),
    ("turn", ColumnKind::Number),
    ("line", ColumnKind::Number),
    ("endLine", ColumnKind::Number),
    ("generatedId", ColumnKind::Flag),
];

/// The value of a column; `None` if the document has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ColumnValue {
    Text(Option<String>),
    Number(Option<usize>),
    Flag(bool),
}

/// The values of `record` in the order of [`COLUMNS`].
pub(super) fn values(record: CallRecord<'_>) -> [ColumnValue; COLUMNS.len()] {
    let json = |value: Option<RecordJson>| ColumnValue::Text(value.map(|it| it.into_text()));
    let extra = record.extra.into_iter();
    let extra = extra.map(|(key, value)| format!("{}:{}", quote(&key), value.into_text()));
    let extra = extra.collect::<Vec<_>>().join(",");
    [
        ColumnValue::Text(Some(record.file.to_owned())),
        ColumnValue::Text(Some(record.dialect.to_owned())),
        ColumnValue::Text(Some(record.kind.to_owned())),
        ColumnValue::Text(record.tool_call_id),
        ColumnValue::Text(record.tool_name),
        ColumnValue::Text(record.state),
        json(record.input),
        ColumnValue::Text(record.arguments),
        json(record.output),
        ColumnValue::Text(record.error_text),
        ColumnValue::Text((!extra.is_empty()).then(|| format!("{{{extra}}}"))),
        ColumnValue::Flag(record.truncated),
        ColumnValue::Number(record.batch),
        ColumnValue::Number(record.conversation),
        ColumnValue::Number(record.turn),
        ColumnValue::Number(Some(record.line)),
        ColumnValue::Number(Some(record.end_line)),
        ColumnValue::Flag(record.generated_id),
    ]
}
