//! `--format human`: the message, the source line and carets under the fault, as rustc does it.
//!
//! The renderer gets only the few lines around a fault, each cut to what fits on a screen, so that neither a
//! document of 100 MB nor a line of 200,000 characters costs more than what is shown of it.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;
use unicode_width::UnicodeWidthChar;

use super::{Output, Tally};
use crate::cli::names::printable;
use crate::document::Fixable;
use crate::rules::{Problem, Severity};
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

/// Columns of the source line that are shown.
const WIDTH: usize = 100;
/// Columns before the fault that are shown where not all can be.
const BEFORE: usize = 40;
/// A fault over more lines is shown by its first.
const LINES: usize = 6;
/// Joins emoji and letters to one sign: no command, though the renderer leaves it out.
const JOINER: char = '\u{200d}';
/// Invisible, as wide and as many bytes as [`JOINER`], and left in.
const STAND_INS: [char; 4] = ['\u{2064}', '\u{2063}', '\u{2062}', '\u{2061}'];
/// Enough bytes for [`WIDTH`] columns of any characters but zero-width ones.
const BYTES: usize = 4 * WIDTH;

/// Writes findings for people.
pub(super) struct Human<W: Write> {
    out: W,
}

impl<W: Write> Human<W> {
    /// Writes to `out`, which takes away the colours where they are not wanted.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Output for Human<W> {
    fn finding(&mut self, file: &str, text: Option<&Text>, finding: &Fixable) -> io::Result<()> {
        writeln!(self.out, "{}\n", render(file, text, &finding.problem))
    }

    fn finish(&mut self, tally: &Tally) -> io::Result<()> {
        if let Some(sentence) = tally.sentence() {
            writeln!(self.out, "{sentence}")?;
        }
        self.out.flush()
    }
}

fn render(file: &str, text: Option<&Text>, problem: &Problem) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO.with_name("information"),
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    let excerpt = text.map(|text| excerpt(text, problem.range.clone()));
    let source = excerpt.as_ref().map_or("", |excerpt| &excerpt.source);
    let stand_in = stand_in(&[file, &problem.message, source]);
    let title = level.primary_title(joined(&drawable(&problem.message), stand_in)).id(problem.code.name());
    let file = joined(&printable(file), stand_in);
    let group = Group::with_title(title);
    let group = match text.zip(excerpt) {
        None => group.element(Origin::path(file)),
        Some((text, Excerpt { source, span })) => {
            let at = byte_to_printed_position(text, problem.range.start);
            group.element(Origin::path(file).line(at.line).char_column(at.column)).element(
                Snippet::source(joined(&source, stand_in))
                    .line_start(at.line)
                    .fold(false)
                    .annotation(AnnotationKind::Primary.span(span)),
            )
        }
    };
    // Lines are cut already, with their own columns: nothing is left to trim.
    let drawn = Renderer::styled().term_width(100 * WIDTH).render(&[group]);
    let drawn = drawn.replace(stand_in, &JOINER.to_string());
    // The renderer takes the excerpt for a second file, without a name, because the place was said apart from
    // it: only so can the column be that of the whole line.
    drawn.split_inclusive('\n').filter(|line| strip_str(line).to_string().trim() != ":::").collect()
}

/// What stands for [`JOINER`] while `texts` are drawn: none of them has it. Where they have all, joiners get lost.
fn stand_in(texts: &[&str]) -> char {
    let free = |stand_in: &char| !texts.iter().any(|text| text.contains(*stand_in));
    STAND_INS.into_iter().find(free).unwrap_or(JOINER)
}

fn joined(text: &str, stand_in: char) -> String {
    text.replace(JOINER, stand_in.encode_utf8(&mut [0; 4]))
}

/// `text` without the C1 controls, which are commands to some terminals; the renderer knows the others.
fn drawable(text: &str) -> Cow<'_, str> {
    let is_command = |character: char| matches!(character, '\u{80}'..='\u{9f}');
    match text.contains(is_command) {
        true => Cow::Owned(text.replace(is_command, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// The lines that are shown of a fault, and the fault's place in them.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    source: String,
    span: Range<usize>,
}

fn excerpt(text: &Text, range: Range<usize>) -> Excerpt {
    let range = text.floor_boundary(range.start)..text.floor_boundary(range.end);
    let first = text.line_of_byte(range.start);
    let mut last = text.line_of_byte(range.end.max(range.start));
    if last > first && text.byte_of_line(last) == range.end {
        last -= 1;
    }
    let head = text.line_content(first);
    if last - first >= LINES {
        last = first;
    }
    let start = range.start.min(head.end);
    let end = range.end.clamp(start, head.end);
    let mut shown = cut_around(text, head, start..end);
    for line in first + 1..=last {
        shown.source.push('\n');
        let content = text.line_content(line);
        let piece = cut_around(text, content.clone(), content.start..range.end.min(content.end));
        shown.span.end = shown.source.len() + piece.span.end;
        shown.source.push_str(&piece.source);
    }
    shown
}

/// As much of the line `line` as fits, with the start of `fault` in it.
fn cut_around(text: &Text, line: Range<usize>, fault: Range<usize>) -> Excerpt {
    let before = text.slice(fault.start.saturating_sub(BYTES).max(line.start)..fault.start);
    let after = text.slice(fault.start..line.end.min(fault.start + BYTES));
    let after_width: usize = after.chars().map(width).sum();
    let room = WIDTH.saturating_sub(after_width).max(BEFORE);
    let skipped = skip_to_width(&before, room);
    let mut source = String::new();
    if skipped > 0 || fault.start - before.len() > line.start {
        source.push('…');
    }
    source.push_str(&drawable(before.get(skipped..).unwrap_or_default()));
    let start = source.len();
    let used: usize = source.chars().map(width).sum();
    let kept = take_width(&after, WIDTH.saturating_sub(used).max(1));
    let fault_kept = fault.len().min(kept);
    source.push_str(&drawable(after.get(..fault_kept).unwrap_or_default()));
    let end = source.len();
    source.push_str(&drawable(after.get(fault_kept..kept).unwrap_or_default()));
    if fault.start + kept < line.end {
        source.push('…');
    }
    Excerpt { source, span: start..end }
}

/// How many bytes of `text` to leave out at its start, so that the rest is at most `columns` wide.
fn skip_to_width(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, character) in text.char_indices().rev() {
        used += width(character);
        if used > columns {
            return at + character.len_utf8();
        }
    }
    0
}

/// How many bytes at the start of `text` are at most `columns` wide.
fn take_width(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += width(character);
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// Columns of a character; a tab is drawn as four.
fn width(character: char) -> usize {
    if character == '\t' { 4 } else { character.width().unwrap_or(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Code;

    /// `marked` holds the text with `«»` around the fault; `expected` is drawn without colours.
    #[track_caller]
    fn check(marked: &str, expected: &str) {
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let text = Text::new(&marked.replace(['«', '»'], ""));
        let problem = Problem::new(Code::BadState, Severity::Error, start..end, "no state that readers know");
        let drawn = strip_str(&render("a/b.md", Some(&text), &problem)).to_string();
        let lines: Vec<_> = drawn.lines().map(str::trim_end).collect();
        let expected: Vec<_> = expected.trim_matches('\n').lines().map(str::trim_end).collect();
        assert!(lines == expected, "drawn:\n{drawn}\nexpected:\n{}", expected.join("\n"));
    }

    #[test]
    fn carets_stand_under_the_fault() {
        check(
            "one\ntwo «three» four\nfive\n",
            "
error[bad-state]: no state that readers know
 --> a/b.md:2:5
  |
2 | two three four
  |     ^^^^^",
        );
        check(
            "one\r\n\ttwo «th😀é漢» four\r\nfive\r\n",
            "
error[bad-state]: no state that readers know
 --> a/b.md:2:6
  |
2 |     two th😀é漢 four
  |         ^^^^^^^",
        );
        check(
            "one\rtwo «three»\rfour",
            "
error[bad-state]: no state that readers know
 --> a/b.md:2:5
  |
2 | two three
  |     ^^^^^",
        );
    }

    #[test]
    fn an_empty_range_has_one_caret() {
        check(
            "one\n{\"a\": «»",
            "
error[bad-state]: no state that readers know
 --> a/b.md:2:7
  |
2 | {\"a\":
  |       ^",
        );
    }

    #[test]
    fn long_lines_are_cut_on_both_sides() {
        check(
            &format!("one\n{} «here» {}\n", "abc ".repeat(50_000), "漢字".repeat(50_000)),
            "
error[bad-state]: no state that readers know
 --> a/b.md:2:200002
  |
2 | …bc abc abc abc abc abc abc abc abc abc  here 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢…
  |                                          ^^^^",
        );
        check(
            &format!("«{}»", "x".repeat(300)),
            &format!(
                "
error[bad-state]: no state that readers know
 --> a/b.md:1:1
  |
1 | {}…
  | {}",
                "x".repeat(100),
                "^".repeat(100)
            ),
        );
    }

    #[test]
    fn short_ranges_of_lines_are_drawn_whole_and_long_ones_by_their_first() {
        check(
            "one\ntwo «three\n    four\nfi»ve\n",
            "
error[bad-state]: no state that readers know
 --> a/b.md:2:5
  |
2 |   two three
  |  _____^
3 | |     four
4 | | five
  | |__^",
        );
        check(
            "«```tool\na\nb\nc\nd\ne\nf\ng\nh\n```»\n",
            "
error[bad-state]: no state that readers know
 --> a/b.md:1:1
  |
1 | ```tool
  | ^^^^^^^",
        );
    }

    #[test]
    fn the_terminal_gets_no_commands_from_a_document() {
        check(
            "\u{85}«x\u{9b}»\u{1b}[31m \u{202e}abc\n",
            "
error[bad-state]: no state that readers know
 --> a/b.md:1:2
  |
1 | �x�␛[31m �abc
  |  ^^",
        );
    }

    #[test]
    fn joined_signs_stay_joined() {
        for others in ["", "\u{2064}", "\u{2061}\u{2062}\u{2064}"] {
            // The carets count characters: what a terminal makes of a joined sign is its own.
            check(
                &format!("👩\u{200d}💻«x»👩\u{200d}👧{others}\n"),
                &format!(
                    "
error[bad-state]: no state that readers know
 --> a/b.md:1:4
  |
1 | 👩\u{200d}💻x👩\u{200d}👧{others}
  |     ^",
                ),
            );
        }
        let problem = Problem::new(Code::Config, Severity::Hint, 0..0, "👩\u{200d}💻\u{9b}");
        let drawn = strip_str(&render("👩\u{200d}💻.toml", None, &problem)).to_string();
        assert_eq!(drawn, "hint[config]: 👩\u{200d}💻\u{fffd}\n--> 👩\u{200d}💻.toml");
    }

    #[test]
    fn a_long_line_costs_what_is_shown_of_it() {
        let text = Text::new(&format!("{}here{}", "abc ".repeat(2_500_000), "漢字".repeat(100)));
        let shown = excerpt(&text, 10_000_000..10_000_004);
        assert_eq!(shown.source.get(shown.span), Some("here"));
        assert!(shown.source.len() <= BYTES, "{} bytes", shown.source.len());
        let shown = excerpt(&text, text.len()..text.len());
        assert!(shown.source.len() <= BYTES, "{} bytes", shown.source.len());
    }

    #[test]
    fn a_file_without_text_has_its_name() {
        let problem = Problem::new(Code::Config, Severity::Hint, 0..0, "unreadable");
        let drawn = strip_str(&render("chatls.toml", None, &problem)).to_string();
        assert_eq!(drawn, "hint[config]: unreadable\n--> chatls.toml");
    }

    #[test]
    fn any_range_can_be_drawn() {
        let text = Text::new("a\u{feff}\t漢\r\n\r\n😀\"x\n\n");
        for start in 0..=text.len() + 2 {
            for end in start..=text.len() + 2 {
                let problem = Problem::new(Code::BadState, Severity::Error, start..end, "");
                assert!(render("a", Some(&text), &problem).contains('^'), "{start}..{end}");
            }
        }
    }
}
