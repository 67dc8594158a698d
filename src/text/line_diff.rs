//! The differences between two texts, line by line.

use std::ops::Range;

use similar::algorithms::{Capture, Compact, IdentifyDistinct, Replace, myers};
use similar::{ChangeTag, DiffOp, DiffTag, DiffableStr, group_diff_ops};

/// Lines that differ, with the equal lines around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffHunk<'t> {
    old: Range<usize>,
    new: Range<usize>,
    /// Its lines, each with whether only one text has it, or both.
    pub lines: Vec<(ChangeTag, &'t str)>,
}

impl DiffHunk<'_> {
    /// The header in a unified diff: `@@ -1,2 +1,3 @@`.
    pub fn header(&self) -> String {
        let range = |lines: &Range<usize>| match lines.len() {
            0 => format!("{},0", lines.start),
            1 => (lines.start + 1).to_string(),
            len => format!("{},{len}", lines.start + 1),
        };
        format!("@@ -{} +{} @@", range(&self.old), range(&self.new))
    }
}

/// The lines of `text`, with their ends.
pub fn lines_with_ends(text: &str) -> Vec<&str> {
    text.tokenize_lines()
}

/// The differences between `old` and `new`, each with `context` lines around it.
pub fn diff_hunks<'t>(old: &[&'t str], new: &[&'t str], context: usize) -> Vec<DiffHunk<'t>> {
    let hunk = |steps: Vec<DiffOp>| {
        let (first, last) = (steps.first()?, steps.last()?);
        let range = |of: fn(&DiffOp) -> Range<usize>| of(first).start..of(last).end;
        let (old_range, new_range) = (range(DiffOp::old_range), range(DiffOp::new_range));
        let mut lines = Vec::new();
        for step in &steps {
            let (tag, olds, news) = step.as_tag_tuple();
            let is_equal = tag == DiffTag::Equal;
            let (change, news) = if is_equal { (ChangeTag::Equal, 0..0) } else { (ChangeTag::Delete, news) };
            let mut add = |change, found: Option<&[&'t str]>| {
                lines.extend(found.unwrap_or_default().iter().map(|line| (change, *line)));
            };
            add(change, old.get(olds));
            add(ChangeTag::Insert, new.get(news));
        }
        Some(DiffHunk { old: old_range, new: new_range, lines })
    };
    group_diff_ops(steps(old, new), context).into_iter().filter_map(hunk).collect()
}

/// The steps from `old` to `new`. Names its algorithm, because `TextDiff` adds all others to the
/// program.
fn steps(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    // Numbers are compared faster than lines.
    let numbered = IdentifyDistinct::<u32>::new(old, 0..old.len(), new, 0..new.len());
    let (old, new) = (numbered.old_lookup(), numbered.new_lookup());
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut found, old, numbered.old_range(), new, numbered.new_range());
    found.into_inner().into_inner().into_ops()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &[&str], new: &[&str], expected: &[&str]) {
        let shown = |hunk: DiffHunk<'_>| {
            let lines = hunk.lines.iter().map(|(change, line)| format!("{change}{line}"));
            [hunk.header()].into_iter().chain(lines).collect::<Vec<_>>()
        };
        let found: Vec<String> = diff_hunks(old, new, 1).into_iter().flat_map(shown).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn hunks_have_lines_around_them() {
        check(&["a", "b"], &["a", "b"], &[]);
        check(&[], &["a"], &["@@ -0,0 +1 @@", "+a"]);
        check(&["a"], &[], &["@@ -1 +0,0 @@", "-a"]);
        check(
            &["1", "2", "3", "4", "5", "6", "7"],
            &["1", "2", "x", "y", "4", "5", "6"],
            &["@@ -2,3 +2,4 @@", " 2", "-3", "+x", "+y", " 4", "@@ -6,2 +7 @@", " 6", "-7"],
        );
    }
}
