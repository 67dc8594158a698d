//! Fixtures of errors: `faults.txt`, each case a payload with a caret line under each error.

use super::check;

/// The payload of a case: all its lines except the caret lines.
fn payload(case: &str) -> String {
    let text: Vec<&str> = case.lines().filter(|line| !line.trim_start().starts_with('^')).collect();
    text.join("\n")
}

/// `text` with a caret line below the line in which each error begins, as in the fixtures.
fn render(text: &str) -> String {
    let json = check(text);
    let (mut out, mut offset) = (String::new(), 0);
    let lines: Vec<&str> = text.split('\n').collect();
    for (number, line) in lines.iter().enumerate() {
        out += line;
        out.push('\n');
        let end = offset + line.len();
        let here = |start: usize| offset <= start && (start <= end || number + 1 == lines.len());
        for fault in json.errors.iter().filter(|fault| here(fault.span.start as usize)) {
            let start = text[offset..fault.span.start as usize].chars().count();
            let width = text[fault.span.range()].chars().count().max(1);
            out += &format!("{}{} {}\n", " ".repeat(start), "^".repeat(width), fault.message(text));
        }
        offset = end + 1;
    }
    if let Some(extra) = json.extra(text) {
        out += &format!("^ extra: {}\n", extra.of(text));
    }
    if json.gave_up {
        out += "^ gave up\n";
    }
    out
}

#[test]
fn every_error_is_reported_once_at_its_span() {
    let fixture = include_str!("faults.txt");
    let rendered: Vec<String> = fixture.split("---\n").map(|case| render(&payload(case))).collect();
    let rendered = rendered.join("---\n");
    assert!(rendered == fixture, "faults.txt should be:\n{rendered}");
}
