//! Reads the keys of a configuration: all known ones, with an error for each of the others.
//!
//! An error has the range of its key or value and invalidates only that value. `null` counts as
//! unset: some editors send it at start.

use std::ops::Range;

use super::layer::{ConfigLayer, ConfigString, OverrideLayer, SeverityTable};
use super::node::{ConfigError, ConfigNode, NodeData, NodeKey};
use super::table::{ConfigTable, SchemaKey};
use super::values::{ConfigValue, OneOf};
use super::{PayloadLayout, Protocol};
use crate::call::{CallPart, ChatApi};
use crate::config::fixes;
use crate::diagnostic::{Code, Severity};
use crate::forms::form::ValueTest;
use crate::nearest::{did_you_mean, nearest};
use crate::trial::FileFix;

mod dialects;
mod servers;
mod texts;

/// The protocols, by name.
pub(crate) const PROTOCOLS: [(&str, Protocol); 5] = [
    ("auto", Protocol::Auto),
    ("v4", Protocol::V4),
    ("v5", Protocol::V5),
    ("v6", Protocol::V6),
    ("v7", Protocol::V7),
];
pub(super) const APIS: [(&str, Option<ChatApi>); 3] =
    [("auto", None), ("openai", Some(ChatApi::OpenAi)), ("anthropic", Some(ChatApi::Anthropic))];
/// The layouts of payloads, by name.
pub(crate) const PAYLOADS: [(&str, PayloadLayout); 3] = [
    ("pretty", PayloadLayout::Pretty),
    ("compact", PayloadLayout::Compact),
    ("keep", PayloadLayout::AsWritten),
];
pub(super) const SEVERITIES: [(&str, Option<Severity>); 5] = [
    ("error", Some(Severity::Error)),
    ("warning", Some(Severity::Warning)),
    ("information", Some(Severity::Information)),
    ("hint", Some(Severity::Hint)),
    ("off", None),
];
pub(super) const PARTS: [(&str, CallPart); 3] =
    [("call", CallPart::Call), ("result", CallPart::Result), ("both", CallPart::Both)];
/// The parts of a tool use that a form of text may be.
pub(super) const TEXT_PARTS: [(&str, CallPart); 2] = [("call", CallPart::Call), ("result", CallPart::Result)];
/// The types of members in signatures: their names, the texts on them, and their tests.
pub(super) const TYPES: [(&str, &str, ValueTest); 7] = [
    ("any", "The member exists.", ValueTest::Any),
    ("string", "The member is a string.", ValueTest::Text),
    ("number", "The member is a number.", ValueTest::Number),
    ("boolean", "The member is `true` or `false`.", ValueTest::Boolean),
    ("object", "The member is an object.", ValueTest::Object),
    ("array", "The member is an array.", ValueTest::Array),
    ("absent", "There is no such member, or it is `null`.", ValueTest::Absent),
];
/// The states that mean a failure, unless the configuration gives others.
pub(super) const FAILED: [&str; 2] = ["error", "failed"];
/// Deeper indentation would not fit on a line; and a mistyped `20000` must not enlarge a document
/// enormously.
pub(super) const MAX_INDENT: usize = 16;

/// Maximum number of tables of one kind.
const MOST_TABLES: usize = 64;

/// Reads the configuration `root`.
pub(super) fn read(root: &ConfigNode) -> (ConfigLayer, Vec<ConfigError>) {
    let mut reader = KeyReader::default();
    let layer = reader.table(root, "");
    (layer, reader.errors)
}

/// A key with its value.
pub(super) struct ConfigEntry<'n> {
    pub key: &'n NodeKey,
    pub value: &'n ConfigNode,
    /// The key, preceded by the keys of the tables that contain it: `hints.batch`.
    pub path: &'n str,
}

/// Reads values of each type, and collects the errors.
#[derive(Default)]
pub(super) struct KeyReader {
    errors: Vec<ConfigError>,
}

impl KeyReader {
    /// Reads the table `node`, at `path`.
    fn table<T: ConfigTable>(&mut self, node: &ConfigNode, path: &str) -> T {
        let mut table = T::default();
        self.keys(node, path, T::KEYS, |reader, name, entry| table.read(name, reader, entry));
        table
    }

    /// Reads the keys of the table `node`, at `path`, which may have the keys `known`.
    pub(super) fn keys(
        &mut self,
        node: &ConfigNode,
        path: &str,
        known: &[SchemaKey],
        mut read: impl FnMut(&mut Self, &str, &ConfigEntry<'_>),
    ) {
        let (what, prefix) = match path {
            "" => ("the configuration".to_owned(), String::new()),
            _ => (format!("`{path}`"), format!("{path}.")),
        };
        for (key, value) in self.entries(node, &what) {
            if !known.iter().any(|it| it.name == key.name) {
                self.unknown_key(key, &prefix, known);
            } else if !matches!(value.data, NodeData::Null) {
                let path = &format!("{prefix}{}", key.name);
                read(self, &key.name, &ConfigEntry { key, value, path });
            }
        }
    }

    /// A table of severities by code.
    pub(super) fn lint(&mut self, entry: &ConfigEntry<'_>) -> Option<SeverityTable> {
        let mut lint = SeverityTable::new();
        for (key, value) in self.entries(entry.value, "`lint`") {
            let Some(code) = Code::from_name(&key.name) else {
                let near = nearest(&key.name, Code::ALL.iter().map(|code| code.name()));
                let message = format!("there is no code `{}`{}", key.name, did_you_mean(&near));
                self.fault_with(&key.span, message, fixes::rename(&key.span, &near));
                continue;
            };
            let entry = ConfigEntry { key, value, path: &key.name };
            if !matches!(value.data, NodeData::Null)
                && let Some(severity) = OneOf::new(&SEVERITIES).read(self, &entry)
            {
                lint.insert(code, severity);
            }
        }
        Some(lint)
    }

    /// Tables by path, each of which has `files`.
    pub(super) fn overrides(&mut self, entry: &ConfigEntry<'_>) -> Option<Vec<OverrideLayer>> {
        let tables = self.tables(entry).iter();
        Some(tables.map(|table| self.one_override(table)).collect())
    }

    fn one_override(&mut self, table: &ConfigNode) -> OverrideLayer {
        let before = self.errors.len();
        let found = self.table(table, "override");
        let has_files = table.entries().iter().any(|(key, _)| key.name == "files");
        if !has_files && self.errors.len() == before {
            self.fault(first_line(table), "this override has no `files`, so it has no effect".to_owned());
        }
        found
    }

    /// The tables under headers such as `[[override]]`.
    fn tables<'n>(&mut self, entry: &ConfigEntry<'n>) -> &'n [ConfigNode] {
        let (node, name) = (entry.value, entry.path);
        let fix = match &node.data {
            NodeData::Array(items) => return items,
            NodeData::Table(_) => Some(fixes::list_of_tables(&entry.key.span, name)),
            _ => None,
        };
        self.wrong(node, name, &format!("tables, each under `[[{name}]]`"), fix).unwrap_or_default()
    }

    /// Reads the tables under `[[NAME]]`. `build` converts a table to an item, given the preceding
    /// items. `what` names the tables in messages. A table with an error is omitted.
    fn list<L: ConfigTable, T>(
        &mut self,
        entry: &ConfigEntry<'_>,
        what: &str,
        build: fn(&mut Self, &ConfigNode, L, &[T]) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut items = Vec::new();
        for table in self.tables(entry) {
            if items.len() == MOST_TABLES {
                self.fault(first_line(table), format!("there are more than {MOST_TABLES} {what}"));
                break;
            }
            let before = self.errors.len();
            let found = self.table(table, entry.path);
            if self.errors.len() == before {
                items.extend(build(self, table, found, &items));
            }
        }
        Some(items)
    }

    /// The entries of a table; empty, with an error, if `node` is not a table.
    fn entries<'n>(&mut self, node: &'n ConfigNode, what: &str) -> &'n [(NodeKey, ConfigNode)] {
        match &node.data {
            NodeData::Table(entries) => return entries,
            NodeData::Null => {}
            // Some editors send an empty array for no settings (an empty Lua table is both).
            NodeData::Array(items) if items.is_empty() => {}
            _ => {
                let message = format!("{what} must be a table; found {}", node.kind());
                self.errors.push(ConfigError::new(node.span.clone(), message));
            }
        }
        &[]
    }

    /// A list of strings; a single string is a list of one.
    pub(super) fn strings(&mut self, entry: &ConfigEntry<'_>) -> Option<Vec<ConfigString>> {
        let (node, name) = (entry.value, entry.path);
        match &node.data {
            NodeData::String(_) => Some(ConfigString::of(node).into_iter().collect()),
            NodeData::Array(items) => Some(items.iter().filter_map(|item| self.string(item, name)).collect()),
            _ => self.wrong(node, name, "a list of strings", None),
        }
    }

    fn string(&mut self, node: &ConfigNode, name: &str) -> Option<ConfigString> {
        ConfigString::of(node).or_else(|| self.wrong(node, name, "strings", None))
    }

    /// Reports a value of the wrong type; always `None`.
    pub(super) fn wrong<T>(
        &mut self,
        node: &ConfigNode,
        name: &str,
        expected: &str,
        fixes: impl IntoIterator<Item = FileFix>,
    ) -> Option<T> {
        let message = format!("`{name}` must be {expected}; found {}", node.kind());
        self.fault_with(&node.span, message, fixes);
        None
    }

    /// Reports an error with fixes.
    pub(super) fn fault_with(
        &mut self,
        span: &Range<usize>,
        message: String,
        fixes: impl IntoIterator<Item = FileFix>,
    ) {
        self.errors.push(ConfigError::new(span.clone(), message).fixes(fixes));
    }

    pub(super) fn fault(&mut self, span: Range<usize>, message: String) {
        self.errors.push(ConfigError::new(span, message));
    }

    /// Reports the error of a check, if it has one.
    fn checked(&mut self, span: &Range<usize>, check: Result<(), String>) {
        if let Err(reason) = check {
            self.fault(span.clone(), reason);
        }
    }

    fn unknown_key(&mut self, key: &NodeKey, table: &str, known: &[SchemaKey]) {
        let near = nearest(&key.name, known.iter().map(|key| key.name));
        let hint = if near.is_empty() {
            let known: Vec<_> = known.iter().map(|key| format!("`{}`", key.name)).collect();
            format!("; known are {}", known.join(", "))
        } else {
            did_you_mean(&near)
        };
        let message = format!("unknown key `{table}{}`{hint}", key.name);
        self.fault_with(&key.span, message, fixes::rename(&key.span, &near));
    }
}

/// Checks a language of fences.
pub(super) fn check_language(language: &str) -> Result<(), String> {
    match !language.is_empty() && !language.contains(char::is_whitespace) {
        true => Ok(()),
        false => Err(format!("`{language}` is not a valid fence language: it must be one word")),
    }
}

/// Checks the name of a role.
pub(super) fn check_role(role: &str) -> Result<(), String> {
    match role.starts_with(|first: char| !first.is_whitespace()) {
        true => Ok(()),
        false => Err(format!("`{role}` is not a valid name: it must begin with a letter, digit or symbol")),
    }
}

/// Checks a path of members.
pub(super) fn check_path(path: &str) -> Result<(), String> {
    match is_path(path) {
        true => Ok(()),
        false => Err(format!("`{path}` is not a path: write the keys of members, joined by `.`")),
    }
}

fn is_path(path: &str) -> bool {
    path.split('.').all(|key| !key.is_empty())
}

/// The first line of a table: its whole span covers everything in it.
fn first_line(table: &ConfigNode) -> Range<usize> {
    table.span.start..table.span.end.min(table.span.start + 1).max(table.span.start)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::node::{from_json, from_toml};
    use super::*;
    use crate::config::Settings;

    /// `marked` holds TOML with `«»` around the range of each error; `messages` are the expected
    /// texts.
    #[track_caller]
    pub fn check(marked: &str, messages: &[&str]) -> ConfigLayer {
        let text = marked.replace(['«', '»'], "");
        let (node, broken) = from_toml(&text);
        let (layer, mut faults) = read(&node);
        faults.extend(broken);
        faults.sort_by_key(|fault| fault.span.start);
        let mut found = text.clone();
        for fault in faults.iter().rev() {
            found.insert(fault.span.end, '»');
            found.insert(fault.span.start, '«');
        }
        assert_eq!(found, marked, "{faults:?}");
        assert_eq!(faults.len(), messages.len(), "{faults:?}");
        for (fault, expected) in faults.iter().zip(messages) {
            assert!(fault.message.contains(expected), "{}", fault.message);
        }
        layer
    }

    /// The default settings with the keys of `layer`.
    fn settings(layer: &ConfigLayer) -> Settings {
        let mut settings = Settings::default();
        layer.change(&mut settings);
        settings
    }

    #[test]
    fn reads_every_key() {
        let layer = check(
            "tools = [\"tools.json\", \"preset:file-tools\"]\nprotocol = \"v6\"\napi = \"auto\"\ninclude = [\"**/*.chat.md\"]\n\
             exclude = \"README.md\"\n[fence]\nlanguages = [\"tool\", \"call\"]\n[lint]\nunknown-tool = \"hint\"\n\
             bad-state = \"off\"\n[[override]]\nfiles = [\"drafts/**\"]\nlint = { stray-tag = \"error\" }\n\
             api = \"anthropic\"\n[format]\npayload = \"keep\"\nindent = 4\n[hints]\nbatch = false\nresult = true\nid = true\n\
             [lenses]\nbatch = true\npending = false\nrun = false\n",
            &[],
        );
        assert_eq!(layer.tools.as_ref().map(Vec::len), Some(2));
        let settings = settings(&layer);
        assert_eq!(settings.protocol, Protocol::V6);
        assert_eq!(layer.api, Some(None));
        assert_eq!(layer.overrides.as_ref().unwrap()[0].api, Some(Some(ChatApi::Anthropic)));
        assert_eq!(layer.exclude.as_ref().unwrap()[0].text, "README.md");
        assert_eq!(settings.fence_languages[1], "call");
        assert_eq!(layer.lint.as_ref().unwrap()[&Code::UnknownTool], Some(Severity::Hint));
        assert_eq!(layer.lint.as_ref().unwrap()[&Code::BadState], None);
        assert_eq!(
            layer.overrides.as_ref().unwrap()[0].lint.as_ref().unwrap()[&Code::StrayTag],
            Some(Severity::Error)
        );
        assert_eq!((settings.format.payload, settings.format.indent), (PayloadLayout::AsWritten, 4));
        let (lenses, hints) = (settings.lenses, settings.hints);
        assert_eq!((lenses.batch, lenses.pending, lenses.run), (true, false, false));
        assert_eq!((hints.batch, hints.result, hints.id), (false, true, true));
    }

    #[test]
    fn reports_each_unknown_key_at_its_range() {
        check("«protocl» = \"v5\"\n", &["unknown key `protocl`; did you mean `protocol`?"]);
        check("«zzz» = 1\n", &["unknown key `zzz`; known are `enable`, `extends`, `root`, `tools`"]);
        check("[lint]\n«unknow-tool» = \"off\"\n", &["no code `unknow-tool`; did you mean `unknown-tool`?"]);
        check("[hints]\n«batches» = true\n", &["unknown key `hints.batches`; did you mean `batch`?"]);
        check("format.«indnt» = 2\n", &["unknown key `format.indnt`; did you mean `indent`?"]);
        check("[[override]]\nfiles = []\n«protocol» = \"v4\"\n", &["unknown key `override.protocol`"]);
    }

    #[test]
    fn invalid_value_does_not_affect_others() {
        let layer = check(
            "tools = «3»\nprotocol = «\"v55\"»\n[lint]\nbad-state = «\"of»\"\nstray-tag = «7»\nempty-id = \"hint\"\n"
                .replace("«\"of»\"", "«\"of\"»")
                .as_str(),
            &["list of strings; found an integer", "found \"v55\"; did you mean `v5`", "did you mean `off`?", "one of"],
        );
        assert_eq!(layer.lint.unwrap().len(), 1);
        check(
            "include = [\"a\", «1», \"b\"]\nfence = «\"tool\"»\n",
            &["strings; found an integer", "must be a table"],
        );
        check("[format]\nindent = «99»\n[hints]\nid = «\"yes\"»\n", &["from 0 to 16", "true or false"]);
        check("[fence]\nlanguages = [«\"a b\"»]\n", &["one word"]);
        check("override = «1»\n", &["[[override]]"]);
    }

    #[test]
    fn broken_toml_is_read_as_far_as_possible() {
        let (node, broken) = from_toml("protocol = \"v6\"\ntools = [\n[lint]\nbad-state = \"off\"\n");
        assert!(broken.is_some());
        assert_eq!(settings(&read(&node).0).protocol, Protocol::V6);
    }

    #[test]
    fn empty_editor_settings_are_valid() {
        for settings in
            ["null", "{}", "[]", r#"{"tools": null, "lint": null, "fence": [], "override": null}"#]
        {
            let (layer, faults) = read(&from_json(&serde_json::from_str(settings).unwrap()));
            assert_eq!(faults, [], "{settings}");
            assert!(layer.tools.is_none());
        }
        let (_, faults) = read(&from_json(&serde_json::json!({"lints": {}, "protocol": 5})));
        assert_eq!(faults.len(), 2, "{faults:?}");
    }

    #[test]
    fn patterns_are_read() {
        let settings = settings(&check(
            "[redact]\npatterns = [\"ACME-[0-9]+\", «\"(\"», «\"x*\"»]\nkeep = [\"a@b.c\"]\n",
            &["`(` is not a regular expression: unclosed group", "`x*` matches the empty text"],
        ));
        assert_eq!(settings.redact.patterns, ["ACME-[0-9]+", "(", "x*"]);
        assert_eq!(settings.redact.keep, ["a@b.c"]);
        check("[redact]\n«pattern» = []\n", &["did you mean `patterns`?"]);
    }

    #[test]
    fn rules_are_those_of_the_options() {
        let settings = settings(&check(
            "[compare]\nignore = [\"$..time\", «\"time\"», \"search:$.took\"]\n\
             match = [\"$.id=/^[0-9a-f]+$/\", «\"$.n=numbr\"»]\nmask = «\"(\"»\n",
            &[
                "`time` is not a JSONPath",
                "`numbr` is not a type; did you mean `number`?",
                "`(` is not a regular expression: unclosed group",
            ],
        ));
        assert_eq!(settings.compare.ignored, ["$..time", "time", "search:$.took"]);
        assert_eq!(settings.compare.accepted, ["$.id=/^[0-9a-f]+$/", "$.n=numbr"]);
        assert_eq!(settings.compare.masks, ["("]);
        check("[compare]\n«ignor» = []\nmask = «1»\n", &["did you mean `ignore`?", "a list of strings"]);
    }
}
