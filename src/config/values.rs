//! The types of values in a configuration: for each how it is read, its schema, and its
//! completions.

use std::marker::PhantomData;

use serde_json::{Value, json};

use super::fixes;
use super::keys::{ConfigEntry, KeyReader, check_path};
use super::layer::ConfigString;
use super::node::NodeData;
use super::table::{SettingChange, SettingTable, TableKind};
use crate::nearest::{did_you_mean, nearest, nearest_value};
use crate::registry::preset_names;

/// The type of a key's value.
pub(super) trait ConfigValue {
    type Value;

    /// Reads a value, which is not `null`; `None` after an error.
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<Self::Value>;

    /// The JSON Schema of the value, without a description. Only settings have a default.
    fn schema(&self, default: Option<Self::Value>) -> Value;

    /// The values to complete, as TOML; in a list, the values of its items.
    fn values(&self, _default: Option<Self::Value>, _in_list: bool) -> Vec<String> {
        Vec::new()
    }

    /// The table, if the value is one.
    fn table(&self) -> TableKind {
        TableKind::None
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// A boolean, with its default if it is not a setting.
pub(super) struct Switch(pub bool);

impl ConfigValue for Switch {
    type Value = bool;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<bool> {
        match entry.value.data {
            NodeData::Bool(value) => Some(value),
            _ => reader.wrong(entry.value, entry.path, "true or false", fixes::boolean(entry.value)),
        }
    }

    fn schema(&self, default: Option<bool>) -> Value {
        json!({"type": "boolean", "default": default.unwrap_or(self.0)})
    }

    fn values(&self, default: Option<bool>, _: bool) -> Vec<String> {
        let default = default.unwrap_or(self.0);
        [default, !default].map(|value| value.to_string()).to_vec()
    }
}

/// A number of spaces, up to this.
pub(super) struct Spaces(pub usize);

impl ConfigValue for Spaces {
    type Value = usize;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<usize> {
        let number = match entry.value.data {
            NodeData::Integer(number) => usize::try_from(number).ok().filter(|number| *number <= self.0),
            _ => None,
        };
        let expected = || format!("a number of spaces from 0 to {}", self.0);
        number.or_else(|| reader.wrong(entry.value, entry.path, &expected(), fixes::integer(entry.value)))
    }

    fn schema(&self, default: Option<usize>) -> Value {
        json!({"type": "integer", "minimum": 0, "maximum": self.0, "default": default})
    }

    fn values(&self, default: Option<usize>, _: bool) -> Vec<String> {
        default.iter().map(usize::to_string).collect()
    }
}

/// One of the names in a table.
pub(super) struct OneOf<T: 'static> {
    names: &'static [(&'static str, T)],
    /// True if the first name is the default.
    has_default: bool,
}

impl<T> OneOf<T> {
    pub const fn new(names: &'static [(&'static str, T)]) -> Self {
        Self { names, has_default: true }
    }

    pub const fn without_default(self) -> Self {
        Self { has_default: false, ..self }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.names.iter().map(|(name, _)| *name)
    }
}

impl<T: Copy> ConfigValue for OneOf<T> {
    type Value = T;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<T> {
        let (node, path) = (entry.value, entry.path);
        let allowed = || format!("one of {}", self.names().map(quoted).collect::<Vec<_>>().join(", "));
        let near = match &node.data {
            NodeData::String(text) => {
                if let Some((_, value)) = self.names.iter().find(|(name, _)| name == text) {
                    return Some(*value);
                }
                let near = nearest_value(text, self.names());
                let hint = did_you_mean(&near);
                let message = format!("`{path}` must be {}; found \"{text}\"{hint}", allowed());
                reader.fault_with(&node.span, message, fixes::write_string(&node.span, &near));
                return None;
            }
            // `protocol = 6`, and `false` for values that can be off.
            NodeData::Integer(number) => nearest(&number.to_string(), self.names()),
            NodeData::Bool(false) => self.names().filter(|name| *name == "off").collect(),
            _ => Vec::new(),
        };
        reader.wrong(node, path, &allowed(), fixes::write_string(&node.span, &near))
    }

    fn schema(&self, _: Option<T>) -> Value {
        let names: Vec<_> = self.names().collect();
        match self.has_default {
            true => json!({"enum": names, "default": names.first()}),
            false => json!({"enum": names}),
        }
    }

    fn values(&self, _: Option<T>, _: bool) -> Vec<String> {
        self.names().map(quoted).collect()
    }
}

/// A string that is not empty.
pub(super) struct Text {
    /// In the words of an error: "the path of a file".
    pub expected: &'static str,
    pub example: &'static str,
}

impl ConfigValue for Text {
    type Value = ConfigString;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<ConfigString> {
        let text = ConfigString::of(entry.value).filter(|it| !it.text.is_empty());
        text.or_else(|| reader.wrong(entry.value, entry.path, self.expected, None))
    }

    fn schema(&self, _: Option<ConfigString>) -> Value {
        json!({"type": "string", "minLength": 1, "examples": [self.example]})
    }

    fn values(&self, _: Option<ConfigString>, _: bool) -> Vec<String> {
        vec![quoted(self.example)]
    }
}

/// A list of strings, or a single string, as a list of `T`.
pub(super) struct Strings<T> {
    /// Without any, the default is completed.
    examples: &'static [&'static str],
    /// The regular expression of an item; the list has a default then, and no examples.
    pattern: Option<&'static str>,
    read: fn(&mut KeyReader, &ConfigEntry<'_>) -> Option<Vec<ConfigString>>,
    /// The reason why an item is invalid.
    check: fn(&str) -> Result<(), String>,
    /// True if invalid items are kept in addition to their errors.
    keeps_invalid: bool,
    items: PhantomData<T>,
}

/// Strings in a layer, with their ranges.
pub(super) type Listed = Strings<ConfigString>;

/// Strings of a setting.
pub(super) type Words = Strings<String>;

impl<T> Strings<T> {
    pub const fn new(examples: &'static [&'static str]) -> Self {
        let read = KeyReader::strings;
        let check = |_: &str| Ok(());
        Self { examples, pattern: None, read, check, keeps_invalid: false, items: PhantomData }
    }

    /// Paths of members.
    pub const fn paths(examples: &'static [&'static str]) -> Self {
        Self::new(examples).dropping(check_path)
    }

    pub const fn pattern(self, pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    pub const fn read_by(
        self,
        read: fn(&mut KeyReader, &ConfigEntry<'_>) -> Option<Vec<ConfigString>>,
    ) -> Self {
        Self { read, ..self }
    }

    /// Leaves invalid items out.
    pub const fn dropping(self, check: fn(&str) -> Result<(), String>) -> Self {
        Self { check, keeps_invalid: false, ..self }
    }

    /// Keeps invalid items, so that nothing passes without them.
    pub const fn reporting(self, check: fn(&str) -> Result<(), String>) -> Self {
        Self { check, keeps_invalid: true, ..self }
    }
}

impl<T: From<ConfigString> + Into<String>> Strings<T> {
    /// The examples, or the default.
    fn shown(&self, default: Option<Vec<T>>) -> Vec<String> {
        match self.examples {
            [] => default.into_iter().flatten().map(T::into).collect(),
            examples => examples.iter().map(ToString::to_string).collect(),
        }
    }
}

impl<T: From<ConfigString> + Into<String>> ConfigValue for Strings<T> {
    type Value = Vec<T>;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<Vec<T>> {
        let mut found = (self.read)(reader, entry)?;
        let is_empty = found.is_empty();
        found.retain(|item| match (self.check)(&item.text) {
            Ok(()) => true,
            Err(reason) => {
                reader.fault(item.span.clone(), reason);
                self.keeps_invalid
            }
        });
        // A list without valid items does not mean none.
        (is_empty || !found.is_empty()).then(|| found.into_iter().map(T::from).collect())
    }

    fn schema(&self, default: Option<Vec<T>>) -> Value {
        let shown = self.shown(default);
        let (item, name, shown) = match self.pattern {
            Some(pattern) => (json!({"type": "string", "pattern": pattern}), "default", json!(shown)),
            None => (json!({"type": "string"}), "examples", json!([shown])),
        };
        json!({"anyOf": [{"type": "array", "items": item}, item], name: shown})
    }

    fn values(&self, default: Option<Vec<T>>, in_list: bool) -> Vec<String> {
        let listed = |text: &String| if in_list { quoted(text) } else { format!("[{}]", quoted(text)) };
        let mut shown = self.shown(default);
        if shown.iter().any(|text| text.starts_with("preset:")) {
            let presets = preset_names().map(|name| format!("preset:{name}"));
            let presets: Vec<_> = presets.filter(|preset| !shown.contains(preset)).collect();
            shown.extend(presets);
        }
        shown.iter().map(listed).collect()
    }
}

/// A table, or several.
pub(super) struct Table<T> {
    pub kind: TableKind,
    pub read: fn(&mut KeyReader, &ConfigEntry<'_>) -> Option<T>,
}

impl<T> ConfigValue for Table<T> {
    type Value = T;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<T> {
        (self.read)(reader, entry)
    }

    fn schema(&self, _: Option<T>) -> Value {
        self.kind.schema()
    }

    fn values(&self, _: Option<T>, _: bool) -> Vec<String> {
        match self.kind {
            TableKind::Variables => vec!["[\"NAME\"]".to_owned()],
            _ => Vec::new(),
        }
    }

    fn table(&self) -> TableKind {
        self.kind
    }
}

impl ConfigValue for SettingTable {
    type Value = Vec<SettingChange>;

    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>) -> Option<Vec<SettingChange>> {
        let mut changes = Vec::new();
        reader.keys(entry.value, entry.path, self.keys, |reader, name, entry| {
            changes.extend((self.read)(name, reader, entry));
        });
        Some(changes)
    }

    fn schema(&self, _: Option<Vec<SettingChange>>) -> Value {
        self.table().schema()
    }

    fn table(&self) -> TableKind {
        TableKind::Keys(self.keys)
    }
}
