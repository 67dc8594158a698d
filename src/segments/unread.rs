//! Recognizes transcripts of programs whose tool calls are not read, by the lines that begin these
//! calls: an empty report would look like a successful check. Other entries recognize programs with
//! message starts of their own.
//!
//! Each segment stores which of these lines it has, and the sums of the tree show which of them the
//! document has.

use crate::call::program::Program;
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
        let [_, others] = bits_of(form_of(program));
        self.has(others)
    }

    fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// The program whose calls are here.
    pub fn program(self) -> Option<&'static str> {
        Some(FORMS.get(self.form()?)?.program)
    }

    /// The lines that begin calls of that program.
    pub fn calls(self) -> Self {
        self.form().map_or_else(Self::default, |form| Self(self.0 & bits_of(form)[0]))
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
