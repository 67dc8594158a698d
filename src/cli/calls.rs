//! `calls`: every tool use of documents as one line of JSON.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use super::inputs::{self, Input, Paths, Unusable};
use super::wanted::Wanted;
use super::{Common, Status, unless_reader_left};
use crate::call::Said;
use crate::document::Document;
use crate::json::quote;

const EXAMPLES: &str = "\
Examples:
  chatls calls chat.md | jq -r .toolName | sort | uniq -c
  chatls calls logs/ | jq 'select(.errorText)'
  chatls calls --tool read_file --state output-error --format csv logs/ >failures.csv
  chatls calls logs/ >calls.jsonl && duckdb -c \"select toolName, count(*) from 'calls.jsonl' group by all\"";

/// The arguments of `calls`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Calls {
    #[command(flatten)]
    paths: Paths,
    #[command(flatten)]
    wanted: Wanted,
    /// How to write them
    #[arg(long, default_value = "jsonl")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A JSON object a line
    Jsonl,
    /// Comma-separated values with a header; inputs and outputs are JSON
    Csv,
}

/// One line: a tool use, or one half of it. What is absent in the document is left out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    file: &'a str,
    dialect: &'a str,
    /// `call`, `result` or `both`.
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Box<RawValue>>,
    /// The display text of a tag's arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_text: Option<String>,
    /// Other fields, in the order of the document.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_object")]
    extra: Vec<(String, Box<RawValue>)>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    /// The number of the batch that it is in, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<usize>,
    /// Its first line, from 1.
    line: usize,
    /// Its last line, from 1.
    end_line: usize,
}

/// Prints the tool uses of all that is named.
pub(super) fn run(command: &Calls, common: &Common) -> io::Result<Status> {
    let mut out = Writer::new(command.format, io::BufWriter::new(io::stdout()))?;
    let mut unusable = Unusable::default();
    let make = |document: Document| lines_of(&document, command);
    let summary = inputs::for_each_made(&command.paths, common, make, |input| match input {
        Input::Document(file, lines) => {
            lines.into_iter().try_for_each(|line| out.write(&Line { file: file.shown, ..line }))
        }
        // What is wrong in a configuration is for `check` to say; what makes it unusable is a failure.
        Input::Problem(..) => Ok(()),
        Input::Fatal(file, problem) => unusable.tell(file, problem),
    })?;
    unless_reader_left(out.flush())?;
    Ok(if summary.failed { Status::Failed } else { Status::Clean })
}

/// Writes lines in a format.
enum Writer<W: Write> {
    Jsonl(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> Writer<W> {
    fn new(format: Format, out: W) -> io::Result<Self> {
        Ok(match format {
            Format::Jsonl => Self::Jsonl(out),
            Format::Csv => {
                let mut csv = Box::new(csv::Writer::from_writer(out));
                csv.write_record(COLUMNS).map_err(to_io)?;
                Self::Csv(csv)
            }
        })
    }

    fn write(&mut self, line: &Line<'_>) -> io::Result<()> {
        match self {
            Self::Jsonl(out) => {
                serde_json::to_writer(&mut *out, line)?;
                out.write_all(b"\n")
            }
            Self::Csv(csv) => csv.write_record(line.cells()).map_err(to_io),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Jsonl(out) => out.flush(),
            Self::Csv(csv) => csv.flush(),
        }
    }
}

/// With its kind: a reader that has left is no failure.
fn to_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// The header of CSV: the keys of [`Line`].
const COLUMNS: [&str; 15] = [
    "file",
    "dialect",
    "kind",
    "toolCallId",
    "toolName",
    "state",
    "input",
    "arguments",
    "output",
    "errorText",
    "extra",
    "truncated",
    "batch",
    "line",
    "endLine",
];

impl Line<'_> {
    /// Its values in the order of [`COLUMNS`]; empty where it has none.
    fn cells(&self) -> [String; 15] {
        let json =
            |value: &Option<Box<RawValue>>| value.as_ref().map(|it| it.get().to_owned()).unwrap_or_default();
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let extra = self.extra.iter().map(|(key, value)| format!("{}:{}", quote(key), value.get()));
        let extra = extra.collect::<Vec<_>>().join(",");
        [
            self.file.to_owned(),
            self.dialect.to_owned(),
            self.kind.to_owned(),
            text(&self.tool_call_id),
            text(&self.tool_name),
            text(&self.state),
            json(&self.input),
            text(&self.arguments),
            json(&self.output),
            text(&self.error_text),
            if extra.is_empty() { extra } else { format!("{{{extra}}}") },
            self.truncated.to_string(),
            self.batch.map(|batch| batch.to_string()).unwrap_or_default(),
            self.line.to_string(),
            self.end_line.to_string(),
        ]
    }
}

/// The tool uses of `document` that `command` wants, but for the name of its file.
fn lines_of<'a>(document: &Document, command: &Calls) -> Vec<Line<'a>> {
    let line_of = |offset: usize| document.text().line_of_byte(offset) + 1;
    let uses = document.tool_uses().into_iter().filter(|it| command.wanted.wants(it));
    uses.map(|found| Line {
        file: "",
        dialect: found.dialect,
        kind: match (found.is_orphan(), found.has_result) {
            (true, _) => "result",
            (false, true) => "both",
            (false, false) => "call",
        },
        tool_call_id: found.id,
        tool_name: found.name,
        state: found.state,
        input: found.input.as_ref().and_then(raw),
        arguments: found.arguments,
        output: found.output.as_ref().and_then(raw),
        error_text: found.error_text,
        extra: found.extra.into_iter().filter_map(|(key, value)| Some((key, raw(&value)?))).collect(),
        truncated: found.truncated,
        batch: found.batch.map(|batch| batch + 1),
        line: line_of(found.range.start),
        end_line: line_of(found.range.end.max(found.range.start + 1) - 1),
    })
    .collect()
}

/// A payload as JSON: what is none becomes a string.
fn raw(payload: &Said) -> Option<Box<RawValue>> {
    match payload {
        Said::Json(text) => json(text.clone()).or_else(|| string(text)),
        Said::Text(_) | Said::Arguments(_) => json(payload.to_json()),
    }
}

/// The JSON text `text`, digits and escapes as they are; `None` where it is not JSON.
fn json(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

fn string(text: &str) -> Option<Box<RawValue>> {
    json(serde_json::to_string(text).ok()?)
}

fn as_object<S: serde::Serializer>(
    entries: &[(String, Box<RawValue>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    for (key, value) in entries {
        map.serialize_entry(key, value)?;
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_what_the_document_has() {
        let line = Line {
            file: "a.md",
            dialect: "fence",
            kind: "both",
            tool_name: Some("x".to_owned()),
            input: json("{\"a b\\\" c\":[1.50e400,2]}".to_owned()),
            extra: vec![
                ("z".to_owned(), json("1".to_owned()).unwrap()),
                ("a".to_owned(), json("\"\\u00e9\"".to_owned()).unwrap()),
            ],
            line: 3,
            end_line: 9,
            ..Line::default()
        };
        assert_eq!(
            serde_json::to_string(&line).unwrap(),
            r#"{"file":"a.md","dialect":"fence","kind":"both","toolName":"x","input":{"a b\" c":[1.50e400,2]},"extra":{"z":1,"a":"\u00e9"},"line":3,"endLine":9}"#
        );
    }

    #[test]
    fn only_json_becomes_json() {
        assert!(json("{".to_owned()).is_none());
        assert!(json("1 2".to_owned()).is_none());
        assert!(json("[".repeat(100_000)).is_none());
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(json(deep.clone()).unwrap().get(), deep);
    }
}
