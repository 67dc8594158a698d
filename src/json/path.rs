//! The path from a value to a byte of its text.

use super::Value;

/// A member or item.
#[derive(Clone, Copy, Debug)]
pub struct PathEntry<'a> {
    /// For members, the key.
    pub key: Option<Value<'a>>,
    /// Number of members or items before it.
    pub index: usize,
    /// The member's value, or the item; of [`JsonKind::Missing`](super::JsonKind::Missing) if it
    /// is missing.
    pub value: Value<'a>,
}

impl<'a> Value<'a> {
    /// The members and items, outermost first, that contain the byte `at` of the text or end there;
    /// a member extends from its key to its value.
    pub fn entries_at(self, at: usize) -> Vec<PathEntry<'a>> {
        let mut entries = Vec::new();
        let mut container = self;
        while let Some(entry) = container.entry_at(at) {
            entries.push(entry);
            container = entry.value;
        }
        entries
    }

    fn entry_at(self, at: usize) -> Option<PathEntry<'a>> {
        let holds = |entry: &PathEntry<'a>| {
            let start = entry.key.unwrap_or(entry.value).span().start as usize;
            start <= at && at <= entry.value.span().end as usize
        };
        let members = self.entries().enumerate().map(|(index, (key, value))| PathEntry {
            key: Some(key),
            index,
            value,
        });
        let items = self.items().enumerate().map(|(index, value)| PathEntry { key: None, index, value });
        // If two entries meet at `at`, the second one. Valid text has a comma between them.
        members.chain(items).filter(holds).last()
    }
}

#[cfg(test)]
mod tests {
    use crate::json::parse;

    /// Compares the entries at `|`: keys, indices, and the last value as written.
    #[track_caller]
    fn check(marked: &str, expected: &str) {
        let at = marked.find('|').expect("a position");
        let text = marked.replacen('|', "", 1);
        let json = parse(&text);
        let entries = json.root(&text).map(|root| root.entries_at(at)).unwrap_or_default();
        let steps = entries.iter().map(|entry| match entry.key {
            Some(key) => key.as_str().unwrap_or_default().into_owned(),
            None => entry.index.to_string(),
        });
        let last = entries.last().map(|entry| entry.value.raw().to_owned());
        assert_eq!(steps.chain(last).collect::<Vec<_>>().join(" / "), expected, "{marked}");
    }

    #[test]
    fn finds_the_members_and_items_around_an_offset() {
        check(r#"{"a": [1, {"b": tr|ue}]}"#, "a / 1 / b / true");
        check(r#"{"a": [1, {"|b": true}]}"#, "a / 1 / b / true");
        check(r#"{"a"| : 1}"#, "a / 1");
        check(r#"{"a": 1|, "b": 2}"#, "a / 1");
        check(r#"{"a": 1, |"b": 2}"#, "b / 2");
        check(r#"{"a": 1,| "b": 2}"#, "");
        check(r#"|{"a": 1}"#, "");
        check(r#"{"a": |}"#, "a / ");
        check(r#"{"a": "x|"#, "a / \"x");
        check(r#"[[1, 2], [3|"#, "1 / 0 / 3");
        check(r#""te|xt""#, "");
    }
}
