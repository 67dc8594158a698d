//! Recognizes transcripts of programs by some of their lines: of programs with message starts of
//! their own, and of programs whose tool calls are not read, because an empty report would look
//! like a successful check.
//!
//! Each segment stores which of these lines it has, and the sums of the tree show which of them the
//! document has.

use crate::call::program::Program;
use crate::syntax::{HISTORY_START, TextParts};
use crate::text::Span;

/// A form of transcript.
struct ProgramForm {
    /// The program whose messages are read.
    program: Option<Program>,
    /// The name of a program whose calls are not read.
    unread: Option<&'static str>,
    /// The beginnings of lines that begin a call, or report one, if calls are not read.
    calls: &'static [&'static str],
    /// The beginnings of other lines. If there are any, the document must have such a line: call
    /// lines alone could be prose.
    others: &'static [&'static str],
}

/// The forms.
const FORMS: [ProgramForm; 11] = [
    unread("aider", &["> Running "], &["> Commit ", "> $ aider", HISTORY_START]),
    unread("opencode", &["Called the "], &["- Session ID: ses_"]),
    read(Program::Aider, &[HISTORY_START]),
    read(Program::Terminal, &["⎿", "✦ "]),
    read(Program::Codex, &["› "]),
    read(Program::CodexExec, &["OpenAI Codex v"]),
    read(Program::Goose, &["( O)> "]),
    read(Program::Cursor, &["<user_query>"]),
    read(Program::React, &["Action Input:"]),
    read(Program::LlamaIndex, &["=== Calling Function ==="]),
    read(Program::AutoGen, &["---------- ToolCall", "***** Suggested ", "***** Response from "]),
];

/// The programs whose lines are parts of calls and results.
const IN_CALLS: [Program; 3] = [Program::Terminal, Program::React, Program::AutoGen];

const fn read(program: Program, others: &'static [&'static str]) -> ProgramForm {
    ProgramForm { program: Some(program), unread: None, calls: &[], others }
}

const fn unread(
    name: &'static str,
    calls: &'static [&'static str],
    others: &'static [&'static str],
) -> ProgramForm {
    ProgramForm { program: None, unread: Some(name), calls, others }
}

/// The bits of the form at `index` in [`ProgramLines`]: for its call lines, and for its other
/// lines.
const fn bits_of(index: usize) -> [u32; 2] {
    [1 << (2 * index), 2 << (2 * index)]
}

/// The kinds of such lines in a text, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramLines(u32);

impl ProgramLines {
    /// The lines of `text`, the text of a segment with `parts`.
    pub(crate) fn of(text: &str, parts: &TextParts) -> Self {
        let mut found = Self::default();
        for (_, lines) in lines_of(text, parts) {
            found.add(lines);
        }
        found
    }

    /// Adds the lines of another text.
    #[inline]
    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// True if they show the text to be of `program`.
    pub fn shows(self, program: Program) -> bool {
        let index = FORMS.iter().position(|form| form.program == Some(program));
        index.is_some_and(|index| self.has(bits_of(index)[1]))
    }

    fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// The name of the program whose calls are here, and are not read.
    pub fn unread_program(self) -> Option<&'static str> {
        FORMS.get(self.unread_form()?)?.unread
    }

    /// The lines that begin calls of that program.
    pub fn unread_calls(self) -> Self {
        self.unread_form().map_or_else(Self::default, |form| Self(self.0 & bits_of(form)[0]))
    }

    /// True if it has a line of `other`.
    pub fn shares(self, other: Self) -> bool {
        self.has(other.0)
    }

    /// The span of the first line in `text` that is one of these, without white space around it.
    pub fn first_in(self, text: &str) -> Option<Span> {
        let (span, _) = lines_of(text, &TextParts::None).find(|(_, lines)| lines.shares(self))?;
        let line = span.of(text);
        let end = span.start as usize + line.trim_end().len();
        Some(Span::new(end - line.trim().len(), end))
    }

    /// The index of the form whose calls are here.
    fn unread_form(self) -> Option<usize> {
        FORMS.iter().enumerate().position(|(index, form)| {
            let [calls, others] = bits_of(index);
            self.has(calls) && (form.others.is_empty() || self.has(others))
        })
    }
}

/// The lines of forms in `text`, each with its span, without calls in tool blocks.
fn lines_of(text: &str, parts: &TextParts) -> impl Iterator<Item = (Span, ProgramLines)> {
    let mut start = 0;
    let ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]);
    ends.filter_map(move |end| {
        let span = Span::new(start, end);
        start = end + 1;
        let lines = lines_of_line(span.of(text).trim_start_matches([' ', '\u{feff}']));
        let holds = |block: Span| (block.start..block.end).contains(&span.start);
        let is_in_block = || parts.regions().iter().any(|region| holds(region.span));
        let is_in_call = || IN_CALLS.iter().any(|program| lines.shows(*program));
        (lines.0 != 0 && (is_in_call() || !is_in_block())).then_some((span, lines))
    })
}

fn lines_of_line(line: &str) -> ProgramLines {
    // Fast path: most lines begin with none of these characters.
    if !line.starts_with(['>', '#', '-', '(', '<', '*', '=', 'A', 'C', 'O', '⎿', '✦', '›']) {
        return ProgramLines::default();
    }
    let mut found = ProgramLines::default();
    for (index, form) in FORMS.iter().enumerate() {
        for (beginnings, bit) in [form.calls, form.others].into_iter().zip(bits_of(index)) {
            // aider's commands on lines of their own are read by a dialect.
            let is_read = line.starts_with('>') && line.ends_with("  ") && form.calls == beginnings;
            if !is_read && beginnings.iter().any(|beginning| line.starts_with(beginning)) {
                found.0 |= bit;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_has_its_own_bits() {
        let mut all = 0;
        for bits in (0..FORMS.len()).flat_map(bits_of) {
            assert_eq!(all & bits, 0);
            all |= bits;
        }
    }

    /// The fast check must not exclude a line that a form needs.
    #[test]
    fn each_line_of_a_form_is_found() {
        for (index, form) in FORMS.iter().enumerate() {
            for (beginnings, bit) in [form.calls, form.others].into_iter().zip(bits_of(index)) {
                for beginning in beginnings {
                    assert!(lines_of_line(beginning).has(bit), "{beginning}");
                }
            }
        }
    }
}
