//! `--format human`: the message, the source line and carets below the range, like rustc.
//!
//! Related ranges are shown in the same excerpt if they are close, and in an excerpt of their own
//! if not.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;

use crate::cli::console::{printable, printable_text};
use crate::cli::output::diagnostic_output::{DiagnosticTally, ListFormat};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

mod excerpt;

use excerpt::{Excerpt, WIDTH, excerpt, excerpt_together};

/// Zero-width joiner, which combines emoji or letters. It is harmless, but the renderer removes it.
const JOINER: char = '\u{200d}';
/// Invisible characters with the width and length in bytes of [`JOINER`], which the renderer
/// preserves.
const STAND_INS: [char; 4] = ['\u{2064}', '\u{2063}', '\u{2062}', '\u{2061}'];

/// An excerpt per diagnostic, with styles.
pub(super) const HUMAN: ListFormat = ListFormat {
    row: |row| format!("{}\n\n", render(row.file, row.text, row.problem)),
    end: DiagnosticTally::last_line,
    ..ListFormat::LINES
};

fn render(file: &str, text: Option<&Text>, problem: &Diagnostic) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO.with_name("information"),
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    let drawings = text.map(|text| drawings(text, problem)).unwrap_or_default();
    let mut texts = vec![file, &problem.message];
    texts.extend(problem.related.iter().map(|related| related.message.as_str()));
    texts.extend(drawings.iter().map(|drawing| drawing.excerpt.source.as_str()));
    let stand_in = stand_in(&texts);
    let message_text = |message: &str| joined(&printable_text(message), stand_in);
    let file = joined(&printable(file), stand_in);
    let title =
        Group::with_title(level.primary_title(message_text(&problem.message)).id(problem.code.name()));
    let mut groups = Vec::new();
    for Annotation { note, line, column, excerpt: Excerpt { source, first, span, labels } } in drawings {
        let group = match note {
            None => title.clone(),
            Some(note) => Group::with_title(Level::NOTE.secondary_title(message_text(note))),
        };
        let snippet = Snippet::source(joined(&source, stand_in)).line_start(first + 1).fold(false);
        let snippet = snippet.annotation(AnnotationKind::Primary.span(span));
        let label = |(span, label): (Range<usize>, &str)| {
            AnnotationKind::Context.span(span).label(message_text(label))
        };
        let origin = Origin::path(file.clone()).line(line).char_column(column);
        groups.push(group.element(origin).element(snippet.annotations(labels.into_iter().map(label))));
    }
    if groups.is_empty() {
        groups.push(title.element(Origin::path(file)));
    }
    // Lines are already cut to the width; the renderer must not cut them again.
    let drawn = Renderer::styled().term_width(100 * WIDTH).render(&groups);
    let drawn = drawn.replace(stand_in, &JOINER.to_string());
    // The location is passed separately, because it needs the column in the whole line, not in the
    // excerpt. The renderer therefore treats the excerpt as a second, unnamed file; its header is
    // removed here.
    drawn.split_inclusive('\n').filter(|line| strip_str(line).to_string().trim() != ":::").collect()
}

/// An excerpt with its label.
struct Annotation<'a> {
    /// The message of a related range; `None` for the range of the diagnostic.
    note: Option<&'a str>,
    line: usize,
    column: usize,
    excerpt: Excerpt<'a>,
}

/// The annotations of a diagnostic: one for its range with the related ranges close to it, and one
/// for each other related range.
fn drawings<'a>(text: &Text, problem: &'a Diagnostic) -> Vec<Annotation<'a>> {
    let drawing = |note, place: &Range<usize>, excerpt| {
        let at = byte_to_printed_position(text, place.start);
        Annotation { note, line: at.line, column: at.column, excerpt }
    };
    let (mut near, mut far) = (Vec::new(), Vec::new());
    let mut fault = excerpt(text, problem.range.clone());
    for related in &problem.related {
        near.push((related.place.clone(), related.message.as_str()));
        match excerpt_together(text, &problem.range, &near) {
            Some(together) => fault = together,
            None => far.extend(near.pop()),
        }
    }
    let far =
        far.into_iter().map(|(place, message)| drawing(Some(message), &place, excerpt(text, place.clone())));
    std::iter::once(drawing(None, &problem.range, fault)).chain(far).collect()
}

/// Returns a character that replaces [`JOINER`] during rendering and does not occur in `texts`. If
/// all candidates occur, joiners are lost.
fn stand_in(texts: &[&str]) -> char {
    let free = |stand_in: &char| !texts.iter().any(|text| text.contains(*stand_in));
    STAND_INS.into_iter().find(free).unwrap_or(JOINER)
}

fn joined(text: &str, stand_in: char) -> String {
    text.replace(JOINER, stand_in.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, RelatedTarget};

    /// `marked` is the text with `«»` around the diagnostic's range; `expected` is the output
    /// without styles.
    #[track_caller]
    fn check(marked: &str, expected: &str) {
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let text = Text::new(&marked.replace(['«', '»'], ""));
        let problem =
            Diagnostic::new(Code::BadState, Severity::Error, start..end, "no state that readers know");
        let drawn = strip_str(&render("a/b.md", Some(&text), &problem)).to_string();
        let lines: Vec<_> = drawn.lines().map(str::trim_end).collect();
        let expected: Vec<_> = expected.trim_matches('\n').lines().map(str::trim_end).collect();
        assert!(lines == expected, "drawn:\n{drawn}\nexpected:\n{}", expected.join("\n"));
    }

    #[test]
    fn carets_are_below_the_range() {
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

    /// `marked` is the text with `«»` around the diagnostic's range and `‹›` around related ranges.
    #[track_caller]
    fn check_related(marked: &str, expected: &str) {
        const MARKS: [char; 4] = ['«', '»', '‹', '›'];
        let at = |mark: char| {
            let before = marked.split(mark).next().unwrap();
            before.len() - before.matches(MARKS).map(str::len).sum::<usize>()
        };
        let text = Text::new(&marked.replace(MARKS, ""));
        let mut problem =
            Diagnostic::new(Code::DuplicateKey, Severity::Warning, at('«')..at('»'), "`a` twice");
        problem.related.push(RelatedTarget { place: at('‹')..at('›'), message: "the first".to_owned() });
        let drawn = strip_str(&render("a.md", Some(&text), &problem)).to_string();
        let lines: Vec<_> = drawn.lines().map(str::trim_end).collect();
        let expected: Vec<_> = expected.trim_matches('\n').lines().map(str::trim_end).collect();
        assert!(lines == expected, "drawn:\n{drawn}\nexpected:\n{}", expected.join("\n"));
    }

    #[test]
    fn related_ranges_are_shown() {
        check_related(
            "one\n{‹\"a\"›: 1, «\"a\"»: 2}\n",
            "
warning[duplicate-key]: `a` twice
 --> a.md:2:10
  |
2 | {\"a\": 1, \"a\": 2}
  |  ---     ^^^
  |  |
  |  the first",
        );
        check_related(
            "{\r\n  ‹\"a\"›: 1,\r  \"é\": 3,\n  «\"a\"»: 2}\n",
            "
warning[duplicate-key]: `a` twice
 --> a.md:4:3
  |
2 |   \"a\": 1,
  |   --- the first
3 |   \"é\": 3,
4 |   \"a\": 2}
  |   ^^^",
        );
        check_related(
            &format!("{{‹\"a\"›: 1,\n{}«\"a\"»: 2}}\n", "\n".repeat(20)),
            "
warning[duplicate-key]: `a` twice
  --> a.md:22:1
   |
22 | \"a\": 2}
   | ^^^
   |
note: the first
  --> a.md:1:2
   |
 1 | {\"a\": 1,
   |  ^^^",
        );
        check_related(
            &format!("{{‹\"a\"›: 1, \"b\": \"{}\", «\"a\"»: 2}}\n", "x".repeat(90)),
            &format!(
                "
warning[duplicate-key]: `a` twice
 --> a.md:1:109
  |
1 | …{}\", \"a\": 2…
  | {}^^^
  |
note: the first
 --> a.md:1:2
  |
1 | {{\"a\": 1, \"b\": \"{}…
  |  ^^^",
                "x".repeat(90),
                " ".repeat(94),
                "x".repeat(85),
            ),
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
    fn long_ranges_are_shown_by_their_first_line() {
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
    fn control_characters_are_escaped() {
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
    fn joined_characters_stay_joined() {
        for others in ["", "\u{2064}", "\u{2061}\u{2062}\u{2064}"] {
            // The carets count characters: terminals differ in the width of joined characters.
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
        let problem = Diagnostic::new(Code::Config, Severity::Hint, 0..0, "👩\u{200d}💻\u{9b}");
        let drawn = strip_str(&render("👩\u{200d}💻.toml", None, &problem)).to_string();
        assert_eq!(drawn, "hint[config]: 👩\u{200d}💻\\u{9b}\n--> 👩\u{200d}💻.toml");
    }

    #[test]
    fn a_file_without_text_has_its_name() {
        let problem = Diagnostic::new(Code::Config, Severity::Hint, 0..0, "unreadable");
        let drawn = strip_str(&render("chatls.toml", None, &problem)).to_string();
        assert_eq!(drawn, "hint[config]: unreadable\n--> chatls.toml");
    }

    #[test]
    fn any_range_can_be_drawn() {
        let text = Text::new("a\u{feff}\t漢\r\n\r\n😀\"x\n\n");
        for start in 0..=text.len() + 2 {
            for end in start..=text.len() + 2 {
                let mut problem = Diagnostic::new(Code::BadState, Severity::Error, start..end, "");
                problem.related.push(RelatedTarget { place: end..text.len() + 1, message: "x".to_owned() });
                assert!(render("a", Some(&text), &problem).contains('^'), "{start}..{end}");
            }
        }
    }
}
