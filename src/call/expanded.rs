//! How a tool use is drawn where a batch is open (formats.md §4): the call, and its result behind it or indented below.

use super::Status;

/// The most lines of a result that are drawn.
const LINES: usize = 5;
/// The most characters of a result that are drawn (formats.md §3.3).
const CHARS: usize = 500;
/// The most characters of a result that stands behind its call: one more stands below (formats.md §4: "under 80").
const INLINE_CHARS: usize = 79;

/// The entry of a tool use, `call` being its name and arguments: of one line, or of several with the result indented below.
pub fn entry(call: &str, status: Status, result: &str) -> String {
    let result = result.trim_end_matches(['\n', '\r']);
    let sign = match status {
        Status::Pending => return format!("  {call} ⏳"),
        Status::Done => " →",
        Status::Failed => " ✗",
    };
    if result.is_empty() {
        return format!("  {call}{}", if status == Status::Failed { sign } else { "" });
    }
    if !result.contains(['\n', '\r']) && result.chars().count() <= INLINE_CHARS {
        return format!("  {call}{sign} {result}");
    }
    let sign = if status == Status::Failed { sign } else { "" };
    let mut entry = format!("  {call}{sign}");
    let mut lines = lines_of(result);
    let (mut drawn, mut left) = (0, CHARS);
    for line in lines.by_ref() {
        let (shown, is_cut) = match line.char_indices().nth(left) {
            Some((end, _)) => (line.get(..end).unwrap_or_default(), true),
            None => (line, false),
        };
        push_line(&mut entry, shown);
        if is_cut {
            push_line(&mut entry, &format!("... (truncated, {})", size(result.len())));
            return entry;
        }
        left -= shown.chars().count();
        drawn += 1;
        if drawn == LINES {
            break;
        }
    }
    match lines.count() {
        0 => {}
        1 => push_line(&mut entry, "... (1 more line)"),
        more => push_line(&mut entry, &format!("... ({more} more lines)")),
    }
    entry
}

/// A number of bytes as people say it: `2.3KB`.
pub fn size(bytes: usize) -> String {
    const UNITS: [&str; 3] = ["KB", "MB", "GB"];
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let (mut tenths, mut unit) = (bytes * 10 / 1024, 0);
    while tenths >= 10 * 1024 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    let tenth = if tenths % 10 == 0 { String::new() } else { format!(".{}", tenths % 10) };
    format!("{}{tenth}{}", tenths / 10, UNITS.get(unit).copied().unwrap_or_default())
}

fn push_line(entry: &mut String, line: &str) {
    entry.push_str("\n    ");
    entry.push_str(line);
}

/// The lines of `text`, however they end.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_behind_or_below() {
        let check = |status, result: &str, expected: &str| {
            assert_eq!(entry("run(n=1)", status, result), expected, "{result}")
        };
        check(Status::Pending, "", "  run(n=1) ⏳");
        check(Status::Done, "", "  run(n=1)");
        check(Status::Done, "/app\n", "  run(n=1) → /app");
        check(Status::Failed, "no such file", "  run(n=1) ✗ no such file");
        check(Status::Failed, "", "  run(n=1) ✗");
        check(Status::Failed, "a\nb", "  run(n=1) ✗\n    a\n    b");
        check(Status::Done, "a\r\nb\rc\n", "  run(n=1)\n    a\n    b\n    c");
        check(
            Status::Done,
            "1\n2\n3\n4\n5\n6",
            "  run(n=1)\n    1\n    2\n    3\n    4\n    5\n    ... (1 more line)",
        );
        check(
            Status::Done,
            &"x\n".repeat(17),
            "  run(n=1)\n    x\n    x\n    x\n    x\n    x\n    ... (12 more lines)",
        );
        let line = "é".repeat(79);
        check(Status::Done, &line, &format!("  run(n=1) → {line}"));
        let line = "é".repeat(80);
        check(Status::Done, &line, &format!("  run(n=1)\n    {line}"));
        let long = "x".repeat(2355);
        check(
            Status::Done,
            &long,
            &format!("  run(n=1)\n    {}\n    ... (truncated, 2.2KB)", "x".repeat(500)),
        );
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, expected) in [
            (0, "0B"),
            (1023, "1023B"),
            (1024, "1KB"),
            (2355, "2.2KB"),
            (1 << 20, "1MB"),
            (3 << 29, "1.5GB"),
            (1 << 42, "4096GB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }
}
