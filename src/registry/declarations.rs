//! The declarations of tools in the text of a registry, for navigation and renaming.
//!
//! Computed on request, to keep loading registries fast.

use std::ops::Range;

use serde_json::Value as Any;

use super::comments;
use super::forms::NameLocation;
use super::source::each_entry;
use crate::json::{self, Value};
use crate::schema::ValueStep;

/// The declaration of a tool in the text of a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDeclaration {
    /// The name.
    pub name: String,
    /// The range, in bytes of the text.
    pub range: Range<usize>,
    /// The range of the name with its quotes, inside `range`.
    pub written: Range<usize>,
    /// True if the author chose the name; false for a tool that an API provides and identifies by
    /// its type.
    pub is_free: bool,
}

/// The tools that the registry `text` declares, in order.
pub fn declarations(text: &str) -> Vec<ToolDeclaration> {
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    let base = text.len() - json.len();
    let blanked;
    let (json, value) = match serde_json::from_str::<Any>(json) {
        Ok(value) => (json, value),
        Err(_) => {
            blanked = comments::blanked(json).unwrap_or_default();
            match serde_json::from_str::<Any>(&blanked) {
                Ok(value) => (blanked.as_str(), value),
                Err(_) => return Vec::new(),
            }
        }
    };
    let tape = json::parse(json);
    let mut found = Vec::new();
    let Some(root) = tape.root(json) else { return found };
    // A text of no known form declares nothing.
    _ = each_entry(&value, &mut Vec::new(), &mut |path, entry| {
        if let Ok(entry) = entry
            && !entry.name.is_empty()
            && let Some((key, tool)) = follow(root, path)
            && let Some((start, name)) = place_of_name(&entry.name_at, key, tool)
        {
            let shifted = |start: usize, end: usize| base + start..base + end;
            found.push(ToolDeclaration {
                range: shifted(start, tool.span().end as usize),
                written: shifted(name.span().start as usize, name.span().end as usize),
                is_free: !matches!(entry.name_at, NameLocation::Type(_)),
                name: entry.name,
            });
        }
    });
    found
}

/// The start of a tool, and the value or key that contains its name.
fn place_of_name<'v>(
    at: &NameLocation,
    key: Option<Value<'v>>,
    tool: Value<'v>,
) -> Option<(usize, Value<'v>)> {
    match at {
        NameLocation::Key => key.map(|key| (key.span().start as usize, key)),
        NameLocation::Below(path) | NameLocation::Type(path) => {
            follow(tool, path).map(|(_, name)| (tool.span().start as usize, name))
        }
    }
}

/// The value at `path` in `value`, and its key, if it is a member.
fn follow<'v>(value: Value<'v>, path: &[ValueStep]) -> Option<(Option<Value<'v>>, Value<'v>)> {
    path.iter().try_fold((None, value), |(_, value), step| match step {
        ValueStep::Key(key) => value.get_entry(key).map(|(key, value)| (Some(key), value)),
        ValueStep::Index(at) => value.items().nth(*at).map(|item| (None, item)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each tool is in `‹›`, and its name in `«»`.
    #[track_caller]
    fn check(marked: &str) {
        let text = marked.replace(['«', '»', '‹', '›'], "");
        let mut shown = text.clone();
        for found in declarations(&text).iter().rev() {
            assert_eq!(text[found.written.clone()].trim_matches('"'), found.name);
            for (at, mark) in [
                (found.range.end, '›'),
                (found.written.end, '»'),
                (found.written.start, '«'),
                (found.range.start, '‹'),
            ] {
                shown.insert(at, mark);
            }
        }
        // If the key is the name, the tool begins at the key.
        assert_eq!(shown, marked);
    }

    #[test]
    fn in_each_form() {
        check(r#"{"tools": [‹{"name": «"a"», "inputSchema": {}}›, {"inputSchema": {}}, ‹{"name": «"b"»}›]}"#);
        check(r#"[‹{"type": "function", "function": {"name": «"a"», "parameters": {"name": "x"}}}›]"#);
        check("\u{feff}// é\n{‹«\"a\"»: {\"inputSchema\": {}}›, /* b */ ‹«\"é\"»: {\"description\": \"\"}›}");
        check(r#"[‹{"name": «"a"», "parameters": [{"name": "x"}]}›]"#);
        check(r#"[‹{"type": «"web_search"»}›]"#);
        check(r#"‹{"name": «"one"», "input_schema": {}}›"#);
        check("{\"scripts\": {}}");
        check("[{\"name\": \"a\"},");
        check("");
    }

    #[test]
    fn api_provided_name_is_not_free() {
        let free = |text: &str| declarations(text).iter().map(|found| found.is_free).collect::<Vec<_>>();
        assert_eq!(free(r#"[{"type": "web_search"}, {"name": "a"}]"#), [false, true]);
        assert_eq!(free(r#"[{"type": "web_search_20250305", "name": "web_search"}]"#), [true]);
    }
}
