//! Tests fixes for files that are always parsed as a whole, such as configuration: each fix is
//! tested on the text.
//!
//! As in documents, the code that reports a problem proposes fixes and need not be sure: a fix is
//! offered only if it removes its problem and adds none.

use std::ops::Range;

use crate::diagnostic::Fix;
use crate::text::edit::applied;

/// A fix, in byte offsets of its file.
pub type FileFix = Fix<Range<usize>>;

/// Maximum number of bytes parsed to test the fixes of one file: fixes beyond it are not tested,
/// and not offered.
const MOST_BYTES: usize = 1 << 20;

/// A problem of a file.
pub trait FileWithFixes {
    /// The fixes, best first; edits are in text order and do not overlap.
    fn fixes(&mut self) -> &mut Vec<FileFix>;

    /// True if `other`, reported after an edit, is the same problem; it may have moved.
    fn is_same(&self, other: &Self) -> bool;
}

/// Removes the fixes of `problems` that do not hold. Of several preferred fixes, only the first
/// stays preferred. `text` is the text that the fixes apply to, and `read` reports the problems of
/// another text in its place.
pub fn retain_working_fixes<P: FileWithFixes>(
    text: &str,
    problems: &mut [P],
    mut read: impl FnMut(&str) -> Vec<P>,
) {
    let mut bytes_left = MOST_BYTES;
    for at in 0..problems.len() {
        let mut fixes = match problems.get_mut(at) {
            Some(problem) => std::mem::take(problem.fixes()),
            None => return,
        };
        fixes.retain(|fix| {
            let mended = applied(text, &fix.edits).filter(|mended| mended != text);
            let Some(mended) = mended.filter(|mended| mended.len() <= bytes_left) else {
                return false;
            };
            bytes_left -= mended.len();
            is_better(problems, at, &read(&mended))
        });
        let preferred = fixes.iter().position(|fix| fix.is_preferred);
        for (at, fix) in fixes.iter_mut().enumerate() {
            fix.is_preferred = Some(at) == preferred;
        }
        if let Some(problem) = problems.get_mut(at) {
            *problem.fixes() = fixes;
        }
    }
}

/// True if `after` has only problems of `before`, without the problem at the index `at`.
fn is_better<P: FileWithFixes>(before: &[P], at: usize, after: &[P]) -> bool {
    let mut left: Vec<&P> =
        before.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it).collect();
    after.iter().all(|found| {
        let known = left.iter().position(|known| known.is_same(found));
        known.map(|known| left.swap_remove(known)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelled word.
    #[derive(Debug)]
    struct Wrong(String, Vec<FileFix>);

    impl FileWithFixes for Wrong {
        fn fixes(&mut self) -> &mut Vec<FileFix> {
            &mut self.1
        }

        fn is_same(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    /// Reports the lower-case words of `text`.
    fn read(text: &str) -> Vec<Wrong> {
        let words = text.split(' ').filter(|word| word.chars().any(char::is_lowercase));
        words.map(|word| Wrong(word.to_owned(), Vec::new())).collect()
    }

    /// Proposes to replace each `range` of `text`, as fixes of the first problem; `expected` are
    /// the fixes that are left.
    #[track_caller]
    fn check(text: &str, edits: &[(Range<usize>, &str)], expected: &[&str]) {
        let mut problems = read(text);
        for (range, written) in edits {
            problems[0].1.push(Fix::replace(*written, range.clone(), *written).preferred());
        }
        retain_working_fixes(text, &mut problems, read);
        let left: Vec<_> = problems[0].1.iter().map(|fix| fix.title.as_str()).collect();
        assert_eq!(left, expected);
        assert!(problems[0].1.iter().enumerate().all(|(at, fix)| fix.is_preferred == (at == 0)));
    }

    #[test]
    fn only_fixes_that_hold_remain() {
        check("A b C", &[(2..3, "B"), (2..3, ""), (2..3, "c"), (2..3, "b"), (0..1, "x")], &["B", ""]);
        check("b b", &[(0..1, "B"), (0..3, "b"), (0..3, "b b")], &["B", "b"]);
        check("a é", &[(0..1, "A"), (0..3, "A"), (0..9, "A"), (0..1, "A x")], &["A"]);
    }

    #[test]
    fn trials_are_limited() {
        let text = format!("a {}", "B".repeat(MOST_BYTES / 2));
        let edits = [(0..1, "A"), (0..1, "AA"), (0..1, "AAA")];
        check(&text, &edits, &["A"]);
    }
}
