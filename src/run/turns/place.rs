//! The place of an answer in a document that others change.
//!
//! The answer is found again if the text around it was changed, also directly before or after it,
//! or if an editor has trimmed or added blanks at the ends of lines. It is not found if the answer
//! itself was changed.

use std::ops::Range;

use crate::text::shared_prefix;

/// The place of an answer, in the text of the document after it was written last.
#[derive(Clone, Debug)]
pub(super) struct AnswerPlace {
    /// The text of the document.
    pub text: String,
    /// The range of the answer in bytes, without white space around it.
    pub range: Range<usize>,
}

impl AnswerPlace {
    /// The range of the answer in the text `now`, in bytes; `None` if the answer was changed, or
    /// occurs several times.
    pub fn find(&self, now: &str) -> Option<Range<usize>> {
        let Self { text, range } = self;
        let same = shared_prefix(text.bytes(), now.bytes());
        if same >= range.end {
            return Some(range.clone());
        }
        let same = shared_prefix(text.bytes().rev(), now.bytes().rev());
        let from_start = text.len().checked_sub(range.start)?;
        if same >= from_start {
            let start = now.len().checked_sub(from_start)?;
            return Some(start..start + range.len());
        }
        let answer = text.get(range.clone())?;
        only(lines_found(text, answer)).and_then(|_| only(lines_found(now, answer)))
    }
}

/// The edit that changes the answer in the range `range` of `now` to `body`. Lines that differ only
/// in trailing blanks are not edited.
pub(super) fn edit_of(now: &str, range: Range<usize>, body: &str) -> Option<(Range<usize>, String)> {
    let old = now.get(range.clone())?;
    let (mut kept, mut said) = (0, 0);
    for (old, new) in old.split_inclusive('\n').zip(body.split_inclusive('\n')) {
        if old.ends_with('\n') && new.ends_with('\n') && old.trim_end() == new.trim_end() {
            (kept, said) = (kept + old.len(), said + new.len());
            continue;
        }
        let same = old.char_indices().zip(new.chars()).find(|((_, old), new)| old != new);
        let same = same.map_or(old.len().min(new.len()), |((at, _), _)| at);
        (kept, said) = (kept + same, said + same);
        break;
    }
    Some((range.start + kept..range.end, body.get(said..)?.to_owned()))
}

/// The ranges of `now` with the lines of `body`, regardless of blanks at their ends.
fn lines_found<'n>(now: &'n str, body: &'n str) -> impl Iterator<Item = Range<usize>> + 'n {
    let mut end = 0;
    let lines = now.split_inclusive('\n').map(move |line| {
        end += line.len();
        (end - line.len(), line.trim_end())
    });
    let lines: Vec<(usize, &str)> = lines.collect();
    let wanted: Vec<&str> = body.lines().map(str::trim_end).collect();
    let found = move |at: usize| {
        let found = lines.get(at..at + wanted.len())?;
        let is_same = found.iter().zip(&wanted).all(|((_, line), wanted)| line == wanted);
        let ((start, _), (last, line)) = (found.first()?, found.last()?);
        is_same.then(|| *start..last + line.len())
    };
    (0..now.split_inclusive('\n').count()).filter_map(found)
}

/// The only item of `items`; `None` if there are several, or none.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks for the answer between `[` and `]` in `before`; `now` has the same marks.
    #[track_caller]
    fn check(before: &str, now: &str) {
        let marked = |text: &str| {
            let range = text.find('[').and_then(|start| Some(start..text.find(']')? - 1));
            (text.replace(['[', ']'], ""), range)
        };
        let ((text, range), (now, expected)) = (marked(before), marked(now));
        let place = AnswerPlace { text, range: range.expect("an answer") };
        assert_eq!(place.find(&now), expected, "{now:?}");
    }

    #[test]
    fn an_answer_is_found_beside_edits() {
        check("A\n\n[**B:**\n\nI lo]\n", "A\n\n[**B:**\n\nI lo]\n");
        check("A\n\n[**B:**\n\nI lo]\n", "A\n\nmore\n\n[**B:**\n\nI lo]\n");
        check("A\n\n[**B:**\n\nI lo]\n", "A\n\n\n[**B:**\n\nI lo]\n");
        check("A\n\n[**B:**\n\nI lo]\n", "A\n\n* [**B:**\n\nI lo]\n");
        check("A\n\n[**B:**\n\nI lo]\n", "A\n\n[**B:**\n\nI lo]x\n");
        check("A\n\n[**B:**\n\nI lo]\n", "A\n\n[**B:**\n\nI lo]\n\nmore\n");
        check("A\n\n[**B:**\n\nI lo]\n", "C\n\n[**B:**\n\nI lo]\n\nmore\n");
    }

    #[test]
    fn blanks_at_the_ends_of_lines_do_not_matter() {
        check("A  \n\n[**B:**\n\nI  \nlo]\n", "A\n\n[**B:**\n\nI\nlo]\n");
        check("A\n\n[**B:**\n\nI\nlo]\n", "A\n\n[**B:**  \n\nI\nlo]\n");
        check("A\n\n[**B:**\n\nI lo]\n\n\n", "A\n\n[**B:**\n\nI lo]");
    }

    #[test]
    fn a_changed_answer_is_not_found() {
        for now in ["A\n\n**B:**\n\nI l\n", "A\n\n**B:**\n\nIt lo\n", "A\n", "", "A\n\n**B:**\nI lo\n"] {
            check("A\n\n[**B:**\n\nI lo]\n", now);
        }
        // One of them was changed, but which?
        check("B\n[B]\n", "B\nx\nB\ny\n");
        check("B\n\n[B]\n", "x\nB\n\nBe\ny\n");
    }

    #[test]
    fn edits_keep_what_an_editor_has_trimmed() {
        let edit = |now: &str, body: &str| edit_of(now, 0..now.len(), body);
        assert_eq!(edit("I lo", "I look.  \nB"), Some((4..4, "ok.  \nB".to_owned())));
        assert_eq!(edit("I look.\nB", "I look.  \nBe"), Some((9..9, "e".to_owned())));
        assert_eq!(edit("a\nb", "a\nc\nd"), Some((2..3, "c\nd".to_owned())));
        assert_eq!(edit("é", "è"), Some((0..2, "è".to_owned())));
    }
}
