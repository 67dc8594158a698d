//! `calls`: every tool use of documents as one line of JSON.

use std::collections::HashSet;
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use super::inputs::{self, Input, Paths};
use super::names::printable;
use super::{Common, Status, complain, unless_reader_left};
use crate::call::Said;
use crate::config::FileProblem;
use crate::document::Document;
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

const EXAMPLES: &str = "\
Examples:
  chatls calls chat.md | jq -r .toolName | sort | uniq -c
  chatls calls logs/ | jq 'select(.errorText)'";

/// The arguments of `calls`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Calls {
    #[command(flatten)]
    paths: Paths,
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
    let mut out = io::BufWriter::new(io::stdout());
    let mut unusable = HashSet::new();
    let make = |document: Document| lines_of(&document);
    let summary = inputs::for_each_made(&command.paths, common, make, |input| match input {
        Input::Document(file, lines) => lines.into_iter().try_for_each(|line| {
            serde_json::to_writer(&mut out, &Line { file: file.shown, ..line })?;
            out.write_all(b"\n")
        }),
        // What is wrong in a configuration is for `check` to say; what makes it unusable is a failure.
        Input::Problem(..) => Ok(()),
        Input::Fatal(file, problem) => {
            // The first is enough: in TOML the others mostly come of it.
            if unusable.insert(file.to_owned()) {
                complain(&fatal(file, problem));
            }
            Ok(())
        }
    })?;
    unless_reader_left(out.flush())?;
    Ok(if summary.failed { Status::Failed } else { Status::Clean })
}

/// What makes the configuration `file` unusable, and where.
fn fatal(file: &str, problem: &FileProblem) -> String {
    let place = problem.text.as_ref().map(|text| {
        let at = byte_to_printed_position(&Text::new(text), problem.range.start);
        format!(":{}:{}", at.line, at.column)
    });
    format!("{}{}: {}", printable(file), place.unwrap_or_default(), problem.message)
}

/// The tool uses of `document`, but for the name of its file.
fn lines_of<'a>(document: &Document) -> Vec<Line<'a>> {
    let line_of = |offset: usize| document.text().line_of_byte(offset) + 1;
    let uses = document.tool_uses().into_iter();
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
