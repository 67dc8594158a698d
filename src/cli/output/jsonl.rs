//! `--format jsonl`: a JSON object a line, for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::{Found, Output, Place, Tally};
use crate::text::position::PrintedPosition;

/// Writes findings as lines of JSON.
pub(super) struct JsonLines<W> {
    out: W,
}

/// One line.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    start: Position,
    end: Position,
    fixes: Vec<Fix<'a>>,
}

/// Lines and columns from 1, columns in Unicode scalar values.
#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
}

impl From<PrintedPosition> for Position {
    fn from(at: PrintedPosition) -> Self {
        Self { line: at.line, column: at.column }
    }
}

/// A way to mend it.
#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
}

impl<W: Write> JsonLines<W> {
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Output for JsonLines<W> {
    fn finding(&mut self, Found { file, text, finding, .. }: Found<'_>) -> io::Result<()> {
        let problem = &finding.problem;
        let Place { start, end } = Place::of(text, &problem.range);
        let line = Line {
            file,
            code: problem.code.name(),
            severity: problem.severity.name(),
            message: &problem.message,
            start: start.into(),
            end: end.into(),
            fixes: finding.fixes.iter().map(|fix| Fix { title: &fix.title }).collect(),
        };
        serde_json::to_writer(&mut self.out, &line)?;
        self.out.write_all(b"\n")
    }

    fn finish(&mut self, _tally: &Tally) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Fixable;
    use crate::rules::{Code, Fix, Problem, Severity};
    use crate::text::Text;

    #[test]
    fn a_line_says_it_all() {
        let text = Text::new("ab\r\né😀\"x\"\n");
        let problem = Problem::new(Code::BadState, Severity::Error, 10..13, "no \"state\"");
        let fix =
            |title: &str| Fix { title: title.into(), edits: Vec::new(), is_preferred: false, is_safe: false };
        let fixes = vec![fix("Do this"), fix("Or \"that\"")];
        let mendable = Fixable { problem: problem.clone(), fixes };
        let hopeless = Fixable { problem, fixes: Vec::new() };
        let found = |file, text, finding| Found { file, text, finding, fingerprint: "" };
        let mut out = Vec::new();
        let mut lines = JsonLines::new(&mut out);
        lines.finding(found("a.md", Some(&text), &mendable)).unwrap();
        lines.finding(found("b.toml", None, &hopeless)).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"file\":\"a.md\",\"code\":\"bad-state\",\"severity\":\"error\",\"message\":\"no \\\"state\\\"\",\
             \"start\":{\"line\":2,\"column\":3},\"end\":{\"line\":2,\"column\":6},\"fixes\":[{\"title\":\"Do this\"},{\"title\":\"Or \\\"that\\\"\"}]}\n\
             {\"file\":\"b.toml\",\"code\":\"bad-state\",\"severity\":\"error\",\"message\":\"no \\\"state\\\"\",\
             \"start\":{\"line\":1,\"column\":1},\"end\":{\"line\":1,\"column\":1},\"fixes\":[]}\n"
        );
    }
}
