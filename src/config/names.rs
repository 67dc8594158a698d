//! The items of a `chatls.toml` that can be navigated to: sources of tools, and codes.

use std::ops::Range;

use super::node::{ConfigNode, NodeData, from_toml};
use super::sources::named_sources;
use crate::diagnostic::Code;

/// An item in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedInConfig {
    /// A source of tools: a path relative to the file, or `preset:NAME`.
    Source(String),
    /// A code in a table of severities.
    Code(Code),
}

/// The item at the byte `at` of the configuration `text`, and its range.
pub fn name_at(text: &str, at: usize) -> Option<(Range<usize>, NamedInConfig)> {
    let source = named_sources(text).into_iter().find(|(range, _)| range.start <= at && at <= range.end);
    if let Some((range, source)) = source {
        return Some((range, NamedInConfig::Source(source)));
    }
    let (root, _) = from_toml(text);
    root.entries().iter().find_map(|(key, value)| match &*key.name {
        "lint" => code_at(value, at),
        "override" => {
            let mut lints = items(value).flat_map(ConfigNode::entries).filter(|(key, _)| key.name == "lint");
            lints.find_map(|(_, lint)| code_at(lint, at))
        }
        _ => None,
    })
}

/// The code of the key at `at` in a table of severities.
fn code_at(lint: &ConfigNode, at: usize) -> Option<(Range<usize>, NamedInConfig)> {
    let (key, _) = lint.entries().iter().find(|(key, _)| (key.span.start..=key.span.end).contains(&at))?;
    Some((key.span.clone(), NamedInConfig::Code(Code::from_name(&key.name)?)))
}

/// The items of a list; a value that is not a list counts as its only item.
fn items(list: &ConfigNode) -> impl Iterator<Item = &ConfigNode> {
    match &list.data {
        NodeData::Array(items) => items.iter(),
        _ => std::slice::from_ref(list).iter(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_codes_have_ranges() {
        let source = |name: &str| Some(NamedInConfig::Source(name.to_owned()));
        let code = Some(NamedInConfig::Code(Code::BadState));
        let check = |marked: &str, expected: Option<NamedInConfig>| {
            let at = marked.find('|').expect("a position");
            let text = marked.replacen('|', "", 1);
            let named = name_at(&text, at);
            assert_eq!(named.as_ref().map(|(_, name)| name.clone()), expected, "{marked}");
            assert!(named.is_none_or(|(range, _)| text.get(range).is_some_and(|name| !name.is_empty())));
        };
        check("tools = [\"a.json\", \"|é.json\"]\n", source("é.json"));
        check("tools = |\"a.json\"\nprotocol = \"v5\"", source("a.json"));
        check("tools = [\"a.json\",| \"b.json\"]\n", None);
        check("include = [\"|a.json\"]\n", None);
        check("tools = [\"a.json|\"\n", source("a.json"));
        check("[lint]\nbad|-state = \"off\"\n", code.clone());
        check("lint.bad-state| = \"off\"\n", code.clone());
        check("[lint]\nbad-state = \"o|ff\"\n", None);
        check("[lint]\nbad-|stat = \"off\"\n", None);
        check("[[override]]\nlint = { |bad-state = \"off\" }\n", code);
        check("|", None);
    }
}
