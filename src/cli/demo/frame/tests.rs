//! Tests of drawn frames, without styles.

use super::*;

fn mark(text: &str, fault: &str, severity: Severity, message: &str) -> DiagnosticMark {
    let start = text.find(fault).unwrap();
    let message = message.to_owned();
    DiagnosticMark { range: start..start + fault.len(), severity, code: "bad-state".to_owned(), message }
}

fn draw(
    text: &str,
    marks: &[DiagnosticMark],
    folded: &[EditorFold],
    cursor: usize,
    size: (usize, usize),
) -> String {
    let frame = DemoFrame {
        title: "title",
        caption: "caption",
        text: &Text::new(text),
        marks,
        folded,
        cursor,
        width: size.0,
        height: size.1,
    };
    let lines = frame.draw();
    assert!(lines.len() <= size.1, "{} lines", lines.len());
    let plain: Vec<_> = lines
        .iter()
        .map(|line| anstream::adapter::strip_str(line).to_string())
        .inspect(|line| assert!(line.width() <= size.0, "{} columns: {line}", line.width()))
        .map(|line| line.trim_end().to_owned())
        .collect();
    plain.join("\n")
}

#[track_caller]
fn check(drawn: &str, expected: &str) {
    let expected = expected.trim_matches('\n');
    assert!(drawn == expected, "drawn:\n{drawn}\n\nexpected:\n{expected}");
}

#[test]
fn squiggles_are_below_their_characters() {
    let text = "one\n\t😀\"状態\": bad\r\nthree";
    let marks = [mark(text, "\"状態\"", Severity::Error, "no state")];
    check(
        &draw(text, &marks, &[], 0, (50, 20)),
        "
title                                    1 problem
──────────────────────────────────────────────────
caption

   1 │ one
   2 │     😀\"状態\": bad
     │       ~~~~~~ error[bad-state]: no state
   3 │ three",
    );
}

#[test]
fn a_long_message_is_wrapped_below() {
    let text = "{\"state\": \"done\"}\n";
    let marks =
        [mark(text, "\"done\"", Severity::Warning, "this is a rather long message for a narrow frame")];
    check(
        &draw(text, &marks, &[], 0, (40, 20)),
        "
title                          1 problem
────────────────────────────────────────
caption

   1 │ {\"state\": \"done\"}
     │           ~~~~~~
     │           warning[bad-state]:
     │           this is a rather long
     │           message for a narrow
     │           frame
   2 │",
    );
}

#[test]
fn messages_at_the_cursor_are_visible_in_small_frames() {
    let text = "1\n2\n3\n4\n{\"state\": \"done\"}\n6\n";
    let message = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
    let marks = [mark(text, "\"done\"", Severity::Warning, message)];
    let frame = DemoFrame {
        title: "title",
        caption: "a caption that does not fit its line",
        text: &Text::new(text),
        marks: &marks,
        folded: &[],
        cursor: text.find("state").unwrap(),
        width: 30,
        height: 11,
    };
    let lines = frame.draw().into_iter().map(|line| anstream::adapter::strip_str(&line).to_string());
    check(
        &lines.collect::<Vec<_>>().join("\n"),
        "
title                1 problem
──────────────────────────────
a caption that does not fit
its line

   5 │ {\"state\": \"done\"}
     │           ~~~~~~
     │     warning[bad-state]:
     │     one two three four
     │     five six seven
     │     eight nine ten ele…",
    );
}

#[test]
fn messages_above_are_cut_to_fit() {
    let text = "bad\nnext";
    let marks = [mark(text, "bad", Severity::Warning, "one two three four five six seven eight")];
    check(
        &draw(text, &marks, &[], text.len(), (40, 8)),
        "
title                          1 problem
────────────────────────────────────────
caption

   1 │ bad
     │ ~~~
     │ warning[bad-state]: one two three
   2 │ next",
    );
}

#[test]
fn a_fold_is_one_line_with_its_label() {
    let text = "a\nb\nc\nd\ne\n";
    let folds = [EditorFold { start_line: 1, end_line: 3, label: "🔧 2 tool calls".to_owned() }];
    let drawn = draw(text, &[], &folds, text.find('c').unwrap(), (40, 20));
    check(
        &drawn,
        "
title                        no problems
────────────────────────────────────────
caption

   1 │ a
   2 ▸ 🔧 2 tool calls ··· 3 lines
   5 │ e
   6 │",
    );
}

#[test]
fn only_lines_around_the_cursor_are_shown() {
    let text: String = (1..=100).map(|line| format!("line {line}\n")).collect();
    let cursor = text.find("line 50").unwrap();
    check(
        &draw(&text, &[], &[], cursor, (30, 10)),
        "
title              no problems
──────────────────────────────
caption

  47 │ line 47
  48 │ line 48
  49 │ line 49
  50 │ line 50
  51 │ line 51
  52 │ line 52",
    );
    let end = draw(&text, &[], &[], text.len(), (30, 10));
    assert!(end.ends_with(" 100 │ line 100\n 101 │"), "{end}");
}

#[test]
fn a_long_line_is_shown_around_the_cursor() {
    let text = format!("{}HERE{}\n", "x".repeat(100_000), "漢".repeat(100_000));
    let cursor = text.find("HERE").unwrap();
    let marks = [mark(&text, "HERE", Severity::Error, "m")];
    check(
        &draw(&text, &marks, &[], cursor, (40, 10)),
        "
title                          1 problem
────────────────────────────────────────
caption

   1 │ xxxxxxxxxxxxxxxxHERE漢漢漢漢漢…
     │                 ~~~~
     │         error[bad-state]: m
   2 │",
    );
}

#[test]
fn control_characters_are_escaped() {
    let text = "\u{1b}[2Jx\u{7}\u{202e}\n";
    let marks = [mark(text, "x", Severity::Hint, "m\u{1b}[0m")];
    let drawn = draw(text, &marks, &[], text.len(), (60, 10));
    assert!(!drawn.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{drawn:?}");
}

#[test]
fn any_cursor_and_size_can_be_drawn() {
    let text = "a\u{feff}\t漢字😀\r\n\r\n\"x\" \u{300}e\u{301}\n\n";
    let marks = [
        mark(text, "漢字", Severity::Error, "some words of a message"),
        DiagnosticMark { range: text.len()..text.len(), ..mark(text, "x", Severity::Hint, "end") },
    ];
    for cursor in (0..=text.len()).filter(|cursor| text.is_char_boundary(*cursor)) {
        for width in 8..40 {
            for height in [0, 4, 5, 9, 30] {
                let frame = DemoFrame {
                    title: "title",
                    caption: "caption",
                    text: &Text::new(text),
                    marks: &marks,
                    folded: &[],
                    cursor,
                    width,
                    height,
                };
                for line in frame.draw() {
                    let line = anstream::adapter::strip_str(&line).to_string();
                    let drawn: usize = line.chars().map(super::width).sum();
                    assert!(drawn <= width, "{drawn} > {width}: {line:?}");
                }
            }
        }
    }
}

#[test]
fn large_line_numbers_reduce_the_text_width() {
    let text = format!("{}{}\n", "\n".repeat(123_455), "x".repeat(100));
    let drawn = draw(&text, &[], &[], 123_455, (30, 6));
    check(
        &drawn,
        "
title              no problems
──────────────────────────────
caption

123455 │
123456 │ xxxxxxxxxxxxxxxxxxxx…",
    );
}
