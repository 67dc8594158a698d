//! Spelling suggestions: known names similar to an unknown one.
//!
//! As in rustc: a name is similar if its edit distance is at most a third of the length of the
//! written name; a name that differs only in case or in the separators of its words ranks before
//! all others.

/// Maximum number of bytes of known names per search: several thousand names. Beyond that there are
/// no suggestions.
const MOST_SCANNED: usize = 64 << 10;

/// Maximum number of cells of the edit distance tables of one search.
const MOST_CELLS: usize = 16 << 10;

/// The names among `known` that are similar to `written`, best first, at most three. The work is
/// bounded: names whose letters differ least are compared first.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // The edit distance is quadratic; names longer than this get no suggestions.
    if written.is_empty() || written.len() > 200 {
        return Vec::new();
    }
    let limit = written.chars().count().max(3) / 3;
    let words = words_of(written);
    let mut cells = 0;
    let mut near: Vec<(usize, &str)> = alike(written, limit, known)
        .into_iter()
        .filter_map(|name| {
            let other = words_of(name);
            if other == words {
                return Some((0, name));
            }
            // The first name is compared, however long it is.
            let is_affordable = cells < MOST_CELLS;
            cells += 2 * written.len() * name.len();
            if !is_affordable {
                return None;
            }
            let distance = strsim::damerau_levenshtein(written, name)
                .min(1 + strsim::damerau_levenshtein(&words, &other));
            // Names without a common letter are not similar.
            let is_alike = distance < written.len().max(name.len());
            (distance <= limit && is_alike).then_some((distance, name))
        })
        .collect();
    near.sort();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The names among `known` whose distance from `written` may be `limit` or less, ordered by the
/// number of letters that differ.
fn alike<'a>(written: &str, limit: usize, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let letters = LetterCounts::of(written);
    let own = LetterSet::of(written);
    // Much cheaper than to count each letter.
    let may_be_near = |name: &&str| match (&own, LetterSet::of(name)) {
        (Some(own), Some(other)) => own.difference(&other) <= limit,
        _ => true,
    };
    let mut scanned = 0;
    let mut alike: Vec<(usize, &str)> = known
        .into_iter()
        .take_while(|name| {
            scanned += name.len() + 1;
            scanned <= MOST_SCANNED
        })
        .filter(|name| !name.is_empty() && name.len() <= 400)
        .filter(may_be_near)
        .map(|name| (letters.difference(&LetterCounts::of(name)), name))
        .filter(|(difference, _)| *difference <= limit)
        .collect();
    alike.sort_by_key(|(difference, _)| *difference);
    alike.into_iter().map(|(_, name)| name).collect()
}

/// The number of occurrences of each letter in a name, regardless of separators, order and case.
struct LetterCounts([i16; 64]);

impl LetterCounts {
    fn of(name: &str) -> Self {
        let mut counts = [0_i16; 64];
        let mut add = |place: usize| {
            if let Some(count) = counts.get_mut(place % 64) {
                *count += 1;
            }
        };
        match name.is_ascii() {
            true => ascii_letters(name).for_each(|letter| add(letter.into())),
            false => letters_of(name).for_each(|letter| add(letter as usize)),
        }
        Self(counts)
    }

    /// A lower bound of the edit distance: each edit resolves at most one letter of each name.
    fn difference(&self, other: &Self) -> usize {
        let differences = self.0.iter().zip(&other.0).map(|(one, other)| one - other);
        // The sum of all differences, and what one name has more than the other.
        let (all, sum) = differences.fold((0, 0), |(all, sum): (i16, i16), it| (all + it.abs(), sum + it));
        usize::try_from((all + sum.abs()) / 2).unwrap_or_default()
    }
}

/// The number of letters of an ASCII name, and a bit for each letter that occurs.
struct LetterSet {
    len: usize,
    letters: u64,
}

impl LetterSet {
    fn of(name: &str) -> Option<Self> {
        let add =
            |set: Self, letter: u8| Self { len: set.len + 1, letters: set.letters | 1 << (letter % 64) };
        name.is_ascii().then(|| ascii_letters(name).fold(Self { len: 0, letters: 0 }, add))
    }

    /// A lower bound of [`LetterCounts::difference`].
    fn difference(&self, other: &Self) -> usize {
        let only = |one: u64, other: u64| (one & !other).count_ones() as usize;
        let letters = only(self.letters, other.letters).max(only(other.letters, self.letters));
        letters.max(self.len.abs_diff(other.len))
    }
}

/// The first of `known` that differs from `written` by one edit: an insertion, a deletion, a
/// substitution or a transposition. For short names, which are often similar to other valid names.
pub fn one_letter_apart<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if !(5..=64).contains(&written.len()) {
        return None;
    }
    let is_near = |name: &&str| {
        name.len().abs_diff(written.len()) <= 4 && strsim::damerau_levenshtein(written, name) == 1
    };
    known.into_iter().find(is_near)
}

/// The values among a few `allowed` ones that are similar to `written`, best first; if there are
/// none, the only value that `written` abbreviates (`warn`, `info`, `str`).
pub fn nearest_value<'a>(written: &str, allowed: impl IntoIterator<Item = &'a str> + Clone) -> Vec<&'a str> {
    let near = nearest(written, allowed.clone());
    let mut longer = allowed.into_iter().filter(|value| written.len() >= 3 && value.starts_with(written));
    match (near.is_empty(), longer.next(), longer.next()) {
        (true, Some(only), None) => vec![only],
        _ => near,
    }
}

/// `, did you mean ...?` for a message; empty without suggestions.
pub fn did_you_mean(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        [one] => format!("; did you mean `{one}`?"),
        [rest @ .., last] => {
            let rest: Vec<_> = rest.iter().map(|name| format!("`{name}`")).collect();
            format!("; did you mean {} or `{last}`?", rest.join(", "))
        }
    }
}

/// The words of a name without separators: the same for `read_file`, `read-file` and `ReadFile`.
pub fn words_of(name: &str) -> String {
    letters_of(name).collect()
}

/// The [`letters_of`] an ASCII name.
fn ascii_letters(name: &str) -> impl Iterator<Item = u8> {
    let is_letter = |byte: &u8| !matches!(byte, b'_' | b'-' | b'.' | b' ');
    name.bytes().filter(is_letter).map(|byte| byte.to_ascii_lowercase())
}

fn letters_of(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: &[&str]) {
        let known = ["read_file", "write_file", "add_package", "ls", "grep", "readfile"];
        assert_eq!(nearest(written, known), expected, "{written}");
    }

    #[test]
    fn finds_similar_names() {
        check("raed_file", &["read_file", "readfile"]);
        check("ReadFile", &["read_file", "readfile"]);
        check("add-package", &["add_package"]);
        check("ADD_PACKAGE", &["add_package"]);
        check("gerp", &["grep"]);
        check("l", &["ls"]);
        assert_eq!(nearest("a", ["b", "a_", "A"]), ["A", "a_"]);
        check("completely_different", &[]);
        check("", &[]);
    }

    #[test]
    fn the_letter_difference_is_a_lower_bound() {
        let names = [
            "read_file",
            "raed_file",
            "ReadFile",
            "add-package",
            "ls",
            "l",
            "grep",
            "gerp",
            "a_b_c",
            "cba",
            "ÄÖ",
        ];
        for (one, other) in names.iter().flat_map(|one| names.map(|other| (*one, other))) {
            let difference = LetterCounts::of(one).difference(&LetterCounts::of(other));
            let words = strsim::damerau_levenshtein(&words_of(one), &words_of(other));
            assert!(difference <= words && words <= strsim::damerau_levenshtein(one, other), "{one} {other}");
            if let (Some(set), Some(other_set)) = (LetterSet::of(one), LetterSet::of(other)) {
                assert!(set.difference(&other_set) <= difference, "{one} {other}");
            }
        }
    }

    #[test]
    fn the_search_is_limited() {
        let names: Vec<String> = (0..100_000).map(|number| format!("tool_number_{number:06}")).collect();
        let mut looked_at = 0;
        let near = nearest(
            "tool_nubmer_000007",
            names.iter().map(|name| {
                looked_at += 1;
                name.as_str()
            }),
        );
        assert_eq!(near.first(), Some(&"tool_number_000007"));
        assert!(looked_at < 5_000, "{looked_at}");
    }

    #[test]
    fn a_unique_abbreviation_is_similar() {
        let check = |written: &str, expected: &[&str]| {
            let allowed = ["error", "warning", "information", "input", "hint", "off"];
            assert_eq!(nearest_value(written, allowed), expected, "{written}");
        };
        check("warn", &["warning"]);
        check("info", &["information"]);
        check("inf", &["information"]);
        check("hnit", &["hint"]);
        check("in", &[]);
        check("wa", &[]);
        check("none", &[]);
        assert_eq!(nearest_value("out", ["output", "outline", "x"]), [""; 0]);
    }

    #[test]
    fn did_you_mean_lists_names() {
        assert_eq!(did_you_mean(&[]), "");
        assert_eq!(did_you_mean(&["a"]), "; did you mean `a`?");
        assert_eq!(did_you_mean(&["a", "b", "c"]), "; did you mean `a`, `b` or `c`?");
    }
}
