//! Recognizes transcripts of programs whose tool calls are not read, by the lines that begin these
//! calls: an empty report would look like a successful check. Other entries recognize programs with
//! message starts of their own.
//!
//! Each segment stores which of these lines it has, and the sums of the tree show which of them the
//! document has.

use std::ops::Range;

use super::Document;
use crate::call::program::Program;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{HISTORY_START, TextParts};
use crate::text::Span;

/// A form of transcript whose calls are not read.
struct UnreadForm {
    /// The program, for messages.
    program: &'static str,
    /// The beginnings of lines that begin a call, or report one.
    calls: &'static [&'static str],
    /// Prefixes of other lines. If there are any, the document must have such a line: call lines
    /// alone could be prose.
    others: &'static [&'static str],
}

/// The forms.
const FORMS: [UnreadForm; 11] = [
    UnreadForm {
        program: "aider",
        calls: &["> Running "],
        others: &["> Commit ", "> $ aider", HISTORY_START],
    },
    UnreadForm { program: "opencode", calls: &["Called the "], others: &["- Session ID: ses_"] },
    UnreadForm { program: "aider", calls: &[], others: &[HISTORY_START] },
    UnreadForm { program: "Claude Code or Gemini CLI", calls: &[], others: &["⎿", "✦ "] },
    UnreadForm { program: "Codex", calls: &[], others: &["› "] },
    UnreadForm { program: "Codex", calls: &[], others: &["OpenAI Codex v"] },
    UnreadForm { program: "goose", calls: &[], others: &["( O)> "] },
    UnreadForm { program: "Cursor", calls: &[], others: &["<user_query>"] },
    UnreadForm { program: "ReAct", calls: &[], others: &["Action Input:"] },
    UnreadForm { program: "LlamaIndex", calls: &[], others: &["=== Calling Function ==="] },
    UnreadForm {
        program: "AutoGen",
        calls: &[],
        others: &["---------- ToolCall", "***** Suggested ", "***** Response from "],
    },
];

/// The index of the entry that recognizes `program`; the entries of programs are the last ones, in
/// the order of the programs.
const fn form_of(program: Program) -> usize {
    FORMS.len() - 1 - Program::AutoGen as usize + program as usize
}

/// The bits of the form at `index` in [`UnreadLines`]: for its call lines, and for its other lines.
const fn bits_of(index: usize) -> [u32; 2] {
    [1 << (2 * index), 2 << (2 * index)]
}

/// The lines that are parts of calls and results.
const IN_CALLS: u32 = bits_of(form_of(Program::Terminal))[1]
    | bits_of(form_of(Program::React))[1]
    | bits_of(form_of(Program::AutoGen))[1];

/// The kinds of such lines in a text, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnreadLines(u32);

impl UnreadLines {
    /// The lines of `text`, the text of a segment with `parts`.
    pub(super) fn of(text: &str, parts: &TextParts) -> Self {
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
        let [_, others] = bits_of(form_of(program));
        self.has(others)
    }

    fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// The index of the form whose calls are here.
    fn form(self) -> Option<usize> {
        FORMS.iter().enumerate().position(|(index, form)| {
            let [calls, others] = bits_of(index);
            self.has(calls) && (form.others.is_empty() || self.has(others))
        })
    }
}

/// The lines of forms in `text`, each with its span, without calls in tool blocks.
fn lines_of(text: &str, parts: &TextParts) -> impl Iterator<Item = (Span, UnreadLines)> {
    let mut start = 0;
    let ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]);
    ends.filter_map(move |end| {
        let span = Span::new(start, end);
        start = end + 1;
        let lines = lines_of_line(span.of(text).trim_start_matches([' ', '\u{feff}']));
        let holds = |block: Span| (block.start..block.end).contains(&span.start);
        let is_in_block = || parts.regions().iter().any(|region| holds(region.span));
        (lines.0 != 0 && (lines.has(IN_CALLS) || !is_in_block())).then_some((span, lines))
    })
}

fn lines_of_line(line: &str) -> UnreadLines {
    // Fast path: most lines begin with none of these characters.
    if !line.starts_with(['>', '#', '-', '(', '<', '*', '=', 'A', 'C', 'O', '⎿', '✦', '›']) {
        return UnreadLines::default();
    }
    let mut found = UnreadLines::default();
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

impl Document {
    /// The program that wrote this transcript in a form whose tool calls are not read, if its
    /// settings do not exclude it.
    pub fn unread_program(&self) -> Option<&'static str> {
        let form = self.tree.summary().attachment.unread.form().filter(|_| self.settings.enabled)?;
        FORMS.get(form).map(|form| form.program)
    }

    /// The diagnostic at the first call that is not read.
    pub(super) fn unread_diagnostic(&self) -> Option<Diagnostic> {
        let program = self.unread_program()?;
        let severity = self.settings.severity(Code::NotChecked)?;
        let message = format!("this is a transcript of {program}, whose tool calls are not read");
        Some(Diagnostic::new(Code::NotChecked, severity, self.first_unread_call()?, message))
    }

    /// The line of the first call that is not read.
    fn first_unread_call(&self) -> Option<Range<usize>> {
        let [calls, _] = bits_of(self.tree.summary().attachment.unread.form()?);
        let segment = self.tree.next_attached(0, |summary| summary.unread.has(calls))?;
        let located = self.tree.locate(segment)?;
        let text = self.text.slice(located.content());
        let (span, _) = lines_of(&text, &TextParts::None).find(|(_, lines)| lines.has(calls))?;
        let line = span.of(&text);
        let end = span.start as usize + line.trim_end().len();
        Some(located.absolute(Span::new(end - line.trim().len(), end)))
    }
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
