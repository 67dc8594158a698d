//! The display of a tool use in an open batch (formats.md §4): the call, with its result after it
//! or indented below.

use std::fmt;
use std::ops::Range;

use super::UseStatus;
use crate::never::OrNever;
use crate::prose::byte_size;

/// The maximum number of lines of a result.
const LINES: usize = 5;
/// The maximum number of characters of a result (formats.md §3.3).
const CHARS: usize = 500;
/// The maximum number of characters of a result on the line of its call (formats.md §4: "under
/// 80").
const INLINE_CHARS: usize = 79;

/// A tool use in an open batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandedToolUse {
    /// The tool's name.
    pub name: String,
    /// The range of its first part, in document offsets.
    pub range: Range<usize>,
    /// The tool's name and its arguments.
    pub call: String,
    /// Its status.
    pub status: UseStatus,
    /// The displayed part of its result, with `\n` between lines; empty if there is none.
    pub result: String,
    /// True if the result is one short line, displayed after its call.
    pub is_inline: bool,
    /// A note on the omitted part of the result: `... (12 more lines)`.
    pub more: Option<String>,
    /// The changes that the call of an editing tool makes: lines after `-`, `+` or a space; only in
    /// pages of the transcript.
    pub changes: Option<String>,
}

impl ExpandedToolUse {
    /// The entry of the tool use of `name` at `range`, with its `arguments` as they are shown, and
    /// its whole `result`.
    pub fn new(
        (name, arguments): (&str, &str),
        range: Range<usize>,
        status: UseStatus,
        result: &str,
    ) -> Self {
        let result = if status == UseStatus::Pending { "" } else { result.trim_end_matches(['\n', '\r']) };
        let is_inline = !result.contains(['\n', '\r']) && result.chars().count() <= INLINE_CHARS;
        let (result, more) = if is_inline { (result.to_owned(), None) } else { shortened(result) };
        let call = format!("{name}({arguments})");
        Self { name: name.to_owned(), range, call, status, result, is_inline, more, changes: None }
    }

    /// The mark after the call, with a space before it; empty if there is none.
    pub fn mark(&self) -> &'static str {
        match self.status {
            UseStatus::Pending => " ⏳",
            UseStatus::Failed => " ✗",
            UseStatus::Done if self.is_inline && !self.result.is_empty() => " →",
            UseStatus::Done => "",
        }
    }
}

/// Displayed without a final line end: one line, or several with the result indented below.
impl fmt::Display for ExpandedToolUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {}{}", self.call, self.mark())?;
        if self.is_inline {
            return if self.result.is_empty() { Ok(()) } else { write!(f, " {}", self.result) };
        }
        self.result.split('\n').chain(self.more.as_deref()).try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// The displayed part of `result`, which is not one short line, and a note on the rest.
fn shortened(result: &str) -> (String, Option<String>) {
    let (mut shown, mut left, mut lines) = (String::new(), CHARS, lines_of(result));
    for (drawn, line) in lines.by_ref().take(LINES).enumerate() {
        if drawn > 0 {
            shown.push('\n');
        }
        if let Some((end, _)) = line.char_indices().nth(left) {
            shown.push_str(line.get(..end).or_never());
            return (shown, Some(format!("... (truncated, {})", byte_size(result.len()))));
        }
        shown.push_str(line);
        left -= line.chars().count();
    }
    let more = match lines.count() {
        0 => None,
        1 => Some("... (1 more line)".to_owned()),
        more => Some(format!("... ({more} more lines)")),
    };
    (shown, more)
}

/// The lines of `text`, with any kind of line end.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_after_or_below_the_call() {
        let check = |status, result: &str, expected: &str| {
            assert_eq!(
                ExpandedToolUse::new(("run", "n=1"), 0..0, status, result).to_string(),
                expected,
                "{result}"
            )
        };
        check(UseStatus::Pending, "", "  run(n=1) ⏳");
        check(UseStatus::Done, "", "  run(n=1)");
        check(UseStatus::Done, "/app\n", "  run(n=1) → /app");
        check(UseStatus::Failed, "no such file", "  run(n=1) ✗ no such file");
        check(UseStatus::Failed, "", "  run(n=1) ✗");
        check(UseStatus::Failed, "a\nb", "  run(n=1) ✗\n    a\n    b");
        check(UseStatus::Done, "a\r\nb\rc\n", "  run(n=1)\n    a\n    b\n    c");
        check(
            UseStatus::Done,
            "1\n2\n3\n4\n5\n6",
            "  run(n=1)\n    1\n    2\n    3\n    4\n    5\n    ... (1 more line)",
        );
        check(
            UseStatus::Done,
            &"x\n".repeat(17),
            "  run(n=1)\n    x\n    x\n    x\n    x\n    x\n    ... (12 more lines)",
        );
        let line = "é".repeat(79);
        check(UseStatus::Done, &line, &format!("  run(n=1) → {line}"));
        let line = "é".repeat(80);
        check(UseStatus::Done, &line, &format!("  run(n=1)\n    {line}"));
        let long = "x".repeat(2355);
        check(
            UseStatus::Done,
            &long,
            &format!("  run(n=1)\n    {}\n    ... (truncated, 2.2KB)", "x".repeat(500)),
        );
    }
}
