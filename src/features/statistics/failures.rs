//! Counts failures by kind.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::kinds::kind_of;
use crate::text::cut;

/// Number of kinds that are retained. When twice as many are stored, the rarest are dropped.
const KINDS: usize = 2_000;
/// Maximum number of characters of an example.
const EXAMPLE: usize = 300;

/// Failures, counted by tool and kind.
#[derive(Debug, Default)]
pub struct Failures {
    kinds: HashMap<(Option<String>, String), FailureKind>,
}

/// The failures of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureKind {
    /// Number of failures.
    pub count: u64,
    /// The first failure.
    pub example: Example,
}

/// A failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The name of the file.
    pub file: String,
    /// The first line, from 1.
    pub line: usize,
    /// The error text, cut; `None` if there is none.
    pub text: Option<String>,
}

impl Failures {
    /// Adds a failure of `tool` on the line `line`. Its kind is derived from its text, or from its
    /// state if there is none.
    pub fn add(&mut self, tool: Option<&str>, text: Option<&str>, state: &str, line: usize) {
        let kind = text.map(kind_of).filter(|kind| !kind.is_empty()).unwrap_or_else(|| format!("({state})"));
        let known = self.kinds.entry((tool.map(str::to_owned), kind)).or_insert_with(|| FailureKind {
            count: 0,
            example: Example { file: String::new(), line, text: text.map(|text| cut(text, EXAMPLE)) },
        });
        known.count += 1;
        self.forget_rare();
    }

    /// Adds the failures of `other`, which is the document `file`.
    pub fn merge(&mut self, other: Self, file: &str) {
        for (kind, failure) in other.kinds {
            let known = self.kinds.entry(kind).or_insert_with(|| {
                let example = Example { file: file.to_owned(), ..failure.example };
                FailureKind { count: 0, example }
            });
            known.count += failure.count;
        }
        self.forget_rare();
    }

    /// All failures as tool, kind and count, the most frequent first.
    pub fn sorted(&self) -> Vec<(Option<&str>, &str, &FailureKind)> {
        let mut sorted: Vec<_> =
            self.kinds.iter().map(|((tool, kind), it)| (tool.as_deref(), kind.as_str(), it)).collect();
        sorted.sort_by_key(|(tool, kind, failure)| (Reverse(failure.count), *tool, *kind));
        sorted
    }

    fn forget_rare(&mut self) {
        if self.kinds.len() <= 2 * KINDS {
            return;
        }
        let mut sorted: Vec<_> = self.kinds.drain().collect();
        sorted.sort_by(|(one, one_is), (other, other_is)| (other_is.count, one).cmp(&(one_is.count, other)));
        self.kinds.extend(sorted.into_iter().take(KINDS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_the_example() {
        let mut all = Failures::default();
        for (file, text) in [("a.md", "no file 'x'"), ("b.md", "no file 'y'")] {
            let mut of_file = Failures::default();
            of_file.add(Some("read"), Some(text), "output-error", 7);
            of_file.add(None, None, "output-denied", 9);
            all.merge(of_file, file);
        }
        let found: Vec<_> = all
            .sorted()
            .into_iter()
            .map(|(tool, kind, it)| {
                (tool, kind, it.count, it.example.file.as_str(), it.example.text.as_deref())
            })
            .collect();
        assert_eq!(
            found,
            [
                (None, "(output-denied)", 2, "a.md", None),
                (Some("read"), "no file '…'", 2, "a.md", Some("no file 'x'")),
            ]
        );
    }

    #[test]
    fn frequent_failures_are_retained() {
        let mut all = Failures::default();
        for number in 0..20_000_u32 {
            let mut of_file = Failures::default();
            let word: String =
                number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect();
            of_file.add(None, Some(&word), "", 1);
            of_file.add(Some("t"), Some("often"), "", 1);
            all.merge(of_file, "a");
        }
        let sorted = all.sorted();
        assert!(sorted.len() <= 2 * KINDS);
        assert_eq!(
            sorted.first().map(|(tool, kind, it)| (*tool, *kind, it.count)),
            Some((Some("t"), "often", 20_000))
        );
    }
}
