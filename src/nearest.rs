//! The known names that somebody may have meant who wrote another one.
//!
//! As in rustc: a name is near when its distance is at most a third of what was written, and a name that
//! differs only in case or in how its words are joined is nearer than any other.

/// The names among `known` that are near to `written`, nearest first, at most three.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // Distances of long texts cost their product, and nobody misspells a name of this length.
    if written.is_empty() || written.len() > 200 {
        return Vec::new();
    }
    let limit = written.chars().count().max(3) / 3;
    let words = words_of(written);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| !name.is_empty() && name.len() <= 400)
        .filter_map(|name| {
            let other = words_of(name);
            if other == words {
                return Some((0, name));
            }
            let distance = strsim::damerau_levenshtein(written, name)
                .min(1 + strsim::damerau_levenshtein(&words, &other));
            // One letter in the place of another is nothing alike.
            let is_alike = distance < written.len().max(name.len());
            (distance <= limit && is_alike).then_some((distance, name))
        })
        .collect();
    near.sort();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The values among a few `allowed` ones that are near to `written`, nearest first; where none is, the only one that
/// `written` is the beginning of (`warn`, `info`, `str`).
pub fn nearest_value<'a>(written: &str, allowed: impl IntoIterator<Item = &'a str> + Clone) -> Vec<&'a str> {
    let near = nearest(written, allowed.clone());
    let mut longer = allowed.into_iter().filter(|value| written.len() >= 3 && value.starts_with(written));
    match (near.is_empty(), longer.next(), longer.next()) {
        (true, Some(only), None) => vec![only],
        _ => near,
    }
}

/// `, did you mean ...?` for a message; empty where nothing is near.
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

/// The words of a name without what joins them: the same for `read_file`, `read-file` and `ReadFile`.
pub fn words_of(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
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
    fn finds_what_was_meant() {
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
    fn a_beginning_is_near_to_the_only_value_that_it_begins() {
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
    fn asks_in_plain_words() {
        assert_eq!(did_you_mean(&[]), "");
        assert_eq!(did_you_mean(&["a"]), "; did you mean `a`?");
        assert_eq!(did_you_mean(&["a", "b", "c"]), "; did you mean `a`, `b` or `c`?");
    }
}
