//! YAML as JSON with the same values on the same lines.
//!
//! YAML is read and never written: lines in output are lines of the file, columns are not.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use crate::json::quote;

/// The copies of anchored values may have this many times the length of their text. Otherwise
/// aliases inside of anchored values could double them with each line.
const COPY_LIMIT: usize = 16;

/// The number of bytes that copies of anchored values may have in any text.
const COPIES: usize = 1 << 20;

/// A list or mapping that is open at the end of the JSON so far.
struct Container {
    is_mapping: bool,
    /// The number of its items, or of its keys and values.
    count: usize,
    anchor: usize,
    /// Its place in the JSON.
    start: usize,
}

/// JSON while it is written.
#[derive(Default)]
struct JsonWriter {
    json: String,
    /// The number of line breaks in it.
    line: usize,
    open: Vec<Container>,
    documents: usize,
    /// The places of complete values in the JSON, by their anchors; 0 is no anchor.
    anchored: HashMap<usize, Range<usize>>,
    /// The number of bytes that further copies may have.
    copies_left: usize,
}

/// True if the file at `path` is YAML, by its name.
pub fn is_yaml(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["yaml", "yml"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The YAML `text` as JSON. Several documents are the items of an array. An alias is a copy of its
/// value, on the line of the alias.
///
/// # Errors
///
/// The first syntax error, with its line; a mapping whose keys are no text; and aliases whose
/// copies would have no end, or be too large.
pub fn json_of_yaml(text: &str) -> Result<String, String> {
    let copies_left = COPIES.max(text.len().saturating_mul(COPY_LIMIT));
    let mut writer = JsonWriter { copies_left, ..JsonWriter::default() };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| format!("it is not valid YAML: {error}"))?;
        let line = span.start.line();
        let at_line = |fault: &str| format!("line {line}: {fault}");
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let is_text = writer.is_key() || is_text(style, tag.as_deref());
                let value = if is_text { quote(&value).into() } else { json_of_plain(&value) };
                writer.scalar(line, &value, anchor);
            }
            Event::Alias(anchor) => {
                let copy = writer.copy(anchor).map_err(at_line)?;
                writer.scalar(line, &copy, 0);
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if writer.is_key() => {
                return Err(at_line(KEY_FAULT));
            }
            Event::SequenceStart(anchor, _) => writer.open(line, false, anchor),
            Event::MappingStart(anchor, _) => writer.open(line, true, anchor),
            Event::SequenceEnd => writer.close("]"),
            Event::MappingEnd => writer.close("}"),
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

const KEY_FAULT: &str = "the key of a mapping is not text";

impl JsonWriter {
    /// True if the next node is a key.
    fn is_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_mapping && open.count.is_multiple_of(2))
    }

    /// Writes what precedes a node on the line `line`, from 1.
    fn begin(&mut self, line: usize) {
        let (count, is_value) = match self.open.last_mut() {
            Some(open) => {
                let is_value = open.is_mapping && open.count % 2 == 1;
                (&mut open.count, is_value)
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

    /// Writes a value that is not split into lines.
    fn scalar(&mut self, line: usize, json: &str, anchor: usize) {
        self.begin(line);
        self.complete(anchor, self.json.len(), json);
    }

    fn open(&mut self, line: usize, is_mapping: bool, anchor: usize) {
        self.begin(line);
        self.open.push(Container { is_mapping, count: 0, anchor, start: self.json.len() });
        self.json.push(if is_mapping { '{' } else { '[' });
    }

    fn close(&mut self, bracket: &str) {
        if let Some(Container { anchor, start, .. }) = self.open.pop() {
            self.complete(anchor, start, bracket);
        }
    }

    /// Writes the end of a value that begins at `start`.
    fn complete(&mut self, anchor: usize, start: usize, end: &str) {
        self.json.push_str(end);
        if anchor > 0 {
            self.anchored.insert(anchor, start..self.json.len());
        }
    }

    /// The value of an anchor, in one line. The error is the reason why there is no copy.
    fn copy(&mut self, anchor: usize) -> Result<String, &'static str> {
        let range =
            self.anchored.get(&anchor).ok_or("an alias refers to the value that it is part of")?.clone();
        self.copies_left =
            self.copies_left.checked_sub(range.len()).ok_or("aliases expand to too much text")?;
        // Line breaks in strings are escaped.
        let copy = self.json[range].replace('\n', "");
        match copy.as_bytes().first() {
            Some(b'[' | b'{') if self.is_key() => Err(KEY_FAULT),
            Some(b'"') | None => Ok(copy),
            Some(_) if self.is_key() => Ok(quote(&copy)),
            Some(_) => Ok(copy),
        }
    }
}

/// True if a scalar is text: by its tag (`!!str`), or else by its quotes.
fn is_text(style: ScalarStyle, tag: Option<&Tag>) -> bool {
    match tag.filter(|tag| tag.is_yaml_core_schema()).map(|tag| tag.suffix.as_str()) {
        Some("null" | "bool" | "int" | "float") => false,
        Some(_) => true,
        None => style != ScalarStyle::Plain,
    }
}

/// A scalar without quotes, by the core schema of YAML 1.2. Decimal numbers in forms that JSON
/// lacks stay text, such as `+49` and `08`.
fn json_of_plain(text: &str) -> Cow<'_, str> {
    let integer = |prefix, radix| {
        let digits = text.strip_prefix(prefix).filter(|digits| !digits.starts_with('+'))?;
        u128::from_str_radix(digits, radix).ok()
    };
    match text {
        "" | "~" | "null" | "Null" | "NULL" => "null".into(),
        "true" | "True" | "TRUE" => "true".into(),
        "false" | "False" | "FALSE" => "false".into(),
        _ if serde_json::from_str::<serde_json::Number>(text).is_ok() => text.into(),
        _ => match integer("0x", 16).or_else(|| integer("0o", 8)) {
            Some(number) => number.to_string().into(),
            None => quote(text).into(),
        },
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
            "# a demonstration\nhistory:\n  - role: user\n    content: |-\n      two\n      lines\n\n  - {a: [1, -2.5e3, 0x1f, 0o17, 0x+1]}\n",
            "\n{\"history\":\n[{\"role\":\"user\",\n\"content\":\n\"two\\nlines\"},\n\n\n{\"a\":[1,-2.5e3,31,15,\"0x+1\"]}]}",
        );
        check("- 'it''s'\n- \"\\u00e9\"\n- ~\n- yes\n- true\n", "[\"it's\",\n\"é\",\nnull,\n\"yes\",\ntrue]");
        check("1: a\nb:\n", "{\"1\":\"a\",\n\"b\":null}");
        check("- !!str 12\n- !!int '12'\n- !own 12", "[\"12\",\n12,\n12]");
        check("a: 1\n---\nb: 2\n", "[{\"a\":1},\n\n{\"b\":2}]");
        check("", "");
    }

    #[test]
    fn an_alias_is_a_copy_of_its_value() {
        check("a: &x 1\nb: *x\n", "{\"a\":1,\n\"b\":1}");
        check(
            "- &x\n  a: |\n    b\n\n  c: &y [d, # one\n    e]\n- *x\n- *y\n",
            "[{\n\"a\":\n\"b\\n\",\n\n\"c\":[\"d\",\n\"e\"]},\n{\"a\":\"b\\n\",\"c\":[\"d\",\"e\"]},\n[\"d\",\"e\"]]",
        );
        check("- &x 1\n- &y a\n- {*x : *y, *y : *x}", "[1,\n\"a\",\n{\"1\":\"a\",\"a\":1}]");
        // The same name for a later value.
        check("- &x 1\n- *x\n- &x 2\n- *x\n", "[1,\n1,\n2,\n2]");
    }

    #[test]
    fn copies_have_a_limit() {
        let doubled = |levels: usize| {
            let level = |n| format!("- &x{} [*x{n}, *x{n}]\n", n + 1);
            format!("- &x0 laugh\n{}", (0..levels).map(level).collect::<String>())
        };
        assert!(json_of_yaml(&doubled(10)).is_ok());
        let fault = json_of_yaml(&doubled(1000)).expect_err("too large");
        assert_eq!(fault, "line 17: aliases expand to too much text");
        // It grows with the text.
        let long = format!("- &x {}\n{}", "long".repeat(100_000), "- *x\n".repeat(10));
        assert_eq!(json_of_yaml(&long).map(|json| json.lines().count()), Ok(11));
    }

    #[test]
    fn faults_have_lines() {
        let fault = |yaml: &str| json_of_yaml(yaml).expect_err(yaml);
        assert_eq!(fault("a: &x\n  b: *x\n"), "line 2: an alias refers to the value that it is part of");
        assert_eq!(fault("- &x [b]\n- *x : 2\n"), "line 2: the key of a mapping is not text");
        assert!(fault("a: [1\nb: 2\n").contains("line 2"), "{}", fault("a: [1\nb: 2\n"));
        assert_eq!(fault("a: 1\n? [b]\n: 2\n"), "line 2: the key of a mapping is not text");
    }

    #[test]
    fn deep_lists_are_read() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert_eq!(json_of_yaml(&deep).map(|json| json.len()), Ok(deep.len()));
    }
}
