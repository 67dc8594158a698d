//! YAML as JSON with the same values on the same lines.
//!
//! YAML is read and never written: lines in output are lines of the file, columns are not.

use std::borrow::Cow;
use std::path::Path;

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::json::quote;

/// A container that is open at the end of the JSON so far.
enum Container {
    /// A list, with the number of its items.
    List(usize),
    /// A mapping, with the number of its keys and values.
    Mapping(usize),
}

/// JSON while it is written.
#[derive(Default)]
struct JsonWriter {
    json: String,
    /// The number of line breaks in it.
    line: usize,
    open: Vec<Container>,
    documents: usize,
}

/// True if the file at `path` is YAML, by its name.
pub fn is_yaml(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The YAML `text` as JSON. Several documents are the items of an array. An alias is `null`: its
/// value stands elsewhere in the text.
///
/// # Errors
///
/// The first syntax error, with its line; and a mapping whose keys are no text.
pub fn json_of_yaml(text: &str) -> Result<String, String> {
    let mut writer = JsonWriter::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| error.to_string())?;
        let line = span.start.line();
        let is_container = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_container && writer.is_key() {
            return Err(format!("line {line}: the key of a mapping is no text"));
        }
        match event {
            Event::Scalar(value, style, ..) => {
                let is_text = style != ScalarStyle::Plain || writer.is_key();
                let value = if is_text { quote(&value).into() } else { json_of_plain(&value) };
                writer.begin(line);
                writer.json.push_str(&value);
            }
            Event::Alias(_) => {
                writer.begin(line);
                writer.json.push_str("null");
            }
            Event::SequenceStart(..) => writer.open(line, '[', Container::List(0)),
            Event::MappingStart(..) => writer.open(line, '{', Container::Mapping(0)),
            Event::SequenceEnd => writer.close(']'),
            Event::MappingEnd => writer.close('}'),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
        }
    }
    Ok(match writer.documents {
        0 | 1 => writer.json,
        _ => format!("[{}]", writer.json),
    })
}

impl JsonWriter {
    /// True if the next node is a key.
    fn is_key(&self) -> bool {
        matches!(self.open.last(), Some(Container::Mapping(count)) if count.is_multiple_of(2))
    }

    /// Writes what precedes a node on the line `line`, from 1.
    fn begin(&mut self, line: usize) {
        let (count, is_value) = match self.open.last_mut() {
            Some(Container::List(count)) => (count, false),
            Some(Container::Mapping(count)) => {
                let is_value = *count % 2 == 1;
                (count, is_value)
            }
            None => (&mut self.documents, false),
        };
        match (*count, is_value) {
            (0, _) => {}
            (_, true) => self.json.push(':'),
            (_, false) => self.json.push(','),
        }
        *count += 1;
        let lines = line.saturating_sub(self.line + 1);
        self.json.extend(std::iter::repeat_n('\n', lines));
        self.line += lines;
    }

    fn open(&mut self, line: usize, bracket: char, container: Container) {
        self.begin(line);
        self.json.push(bracket);
        self.open.push(container);
    }

    fn close(&mut self, bracket: char) {
        self.json.push(bracket);
        self.open.pop();
    }
}

/// A scalar without quotes, by the core schema of YAML 1.2.
fn json_of_plain(text: &str) -> Cow<'_, str> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => "null".into(),
        "true" | "True" | "TRUE" => "true".into(),
        "false" | "False" | "FALSE" => "false".into(),
        _ if serde_json::from_str::<serde_json::Number>(text).is_ok() => text.into(),
        _ => quote(text).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(yaml: &str, expected: &str) {
        assert_eq!(json_of_yaml(yaml).as_deref(), Ok(expected), "{yaml}");
    }

    #[test]
    fn values_stay_on_their_lines() {
        check(
            "# a demonstration\nhistory:\n  - role: user\n    content: |-\n      two\n      lines\n\n  - {a: [1, -2.5e3, 0x1f]}\n",
            "\n{\"history\":\n[{\"role\":\"user\",\n\"content\":\n\"two\\nlines\"},\n\n\n{\"a\":[1,-2.5e3,\"0x1f\"]}]}",
        );
        check("- 'it''s'\n- \"\\u00e9\"\n- ~\n- yes\n- true\n", "[\"it's\",\n\"é\",\nnull,\n\"yes\",\ntrue]");
        check("1: a\nb:\n", "{\"1\":\"a\",\n\"b\":null}");
        check("a: &x 1\nb: *x\n", "{\"a\":1,\n\"b\":null}");
        check("a: 1\n---\nb: 2\n", "[{\"a\":1},\n\n{\"b\":2}]");
        check("", "");
    }

    #[test]
    fn faults_have_lines() {
        let fault = |yaml: &str| json_of_yaml(yaml).expect_err(yaml);
        assert!(fault("a: [1\nb: 2\n").contains("line 2"), "{}", fault("a: [1\nb: 2\n"));
        assert_eq!(fault("a: 1\n? [b]\n: 2\n"), "line 2: the key of a mapping is no text");
    }

    #[test]
    fn deep_lists_are_read() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert_eq!(json_of_yaml(&deep).map(|json| json.len()), Ok(deep.len()));
    }
}
