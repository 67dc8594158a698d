//! The types of values in a configuration: for each how it is read, where it goes, its schema, and
//! its completions.

use serde_json::{Map, Value, json};

use super::Settings;
use super::keys::{ConfigEntry, KeyReader, check_path, names};
use super::layer::{ConfigLayer, ConfigString};
use super::run_settings::names_schema;
use super::schema::SchemaKey;
use crate::registry::preset_names;

/// The type of a key's value, with its place.
pub(super) trait KeyType: Sync {
    /// Reads a value into a layer. An error leaves the value unset.
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer);

    /// The JSON Schema of the value, without a description.
    fn schema(&self) -> Value;

    /// The values to complete, as TOML; in a list, those of its items.
    fn values(&self, _in_list: bool) -> Vec<String> {
        Vec::new()
    }

    /// The table, if the value is one.
    fn table(&self) -> TableKind {
        TableKind::None
    }
}

/// The tables of a configuration.
#[derive(Clone, Copy)]
pub(super) enum TableKind {
    /// The value is not a table.
    None,
    /// `[key]` with these keys.
    Keys(&'static [SchemaKey]),
    /// `[[key]]` with these keys, the first of which are required, in this number.
    List(&'static [SchemaKey], usize),
    /// `[key.NAME]` with these keys.
    Named(&'static [SchemaKey]),
    /// `[key]` with the severity of each code.
    Severities,
    /// `[key]` with the members of an object.
    Signature,
    /// Values of variables by name, or a list of names.
    Variables,
    /// Values of headers by name.
    Headers,
}

/// The place of a value.
pub(super) enum Place<T: 'static> {
    /// In the layer.
    Layer(fn(&mut ConfigLayer) -> &mut Option<T>),
    /// In the settings, which have its default.
    Settings(fn(&mut Settings) -> &mut T),
}

impl<T: Clone + Send + Sync + 'static> Place<T> {
    fn put(&self, value: Option<T>, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        let Some(value) = value else { return };
        match *self {
            Self::Layer(place) => *place(layer) = Some(value),
            Self::Settings(place) => {
                layer.changes.push((entry.path.to_owned(), Box::new(move |it| *place(it) = value.clone())));
            }
        }
    }

    /// The default value.
    fn default(&self) -> Option<T> {
        match self {
            Self::Layer(_) => None,
            Self::Settings(place) => Some(place(&mut Settings::default()).clone()),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// A boolean.
pub(super) struct Switch {
    /// The default of a place in the layer.
    default: bool,
    place: Place<bool>,
}

impl Switch {
    pub const fn layer(default: bool, place: fn(&mut ConfigLayer) -> &mut Option<bool>) -> Self {
        Self { default, place: Place::Layer(place) }
    }

    pub const fn settings(place: fn(&mut Settings) -> &mut bool) -> Self {
        Self { default: false, place: Place::Settings(place) }
    }

    fn default(&self) -> bool {
        self.place.default().unwrap_or(self.default)
    }
}

impl KeyType for Switch {
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        self.place.put(reader.boolean(entry), entry, layer);
    }

    fn schema(&self) -> Value {
        json!({"type": "boolean", "default": self.default()})
    }

    fn values(&self, _: bool) -> Vec<String> {
        [self.default(), !self.default()].map(|value| value.to_string()).to_vec()
    }
}

/// A number of spaces, up to this.
pub(super) struct Spaces(pub usize, pub fn(&mut Settings) -> &mut usize);

impl KeyType for Spaces {
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        Place::Settings(self.1).put(reader.spaces(entry, self.0), entry, layer);
    }

    fn schema(&self) -> Value {
        json!({"type": "integer", "minimum": 0, "maximum": self.0, "default": Place::Settings(self.1).default()})
    }

    fn values(&self, _: bool) -> Vec<String> {
        Place::Settings(self.1).default().iter().map(usize::to_string).collect()
    }
}

/// One of the names in a table.
pub(super) struct OneOf<T: 'static> {
    names: &'static [(&'static str, T)],
    place: Place<T>,
    /// True if the first name is the default.
    has_default: bool,
}

impl<T> OneOf<T> {
    pub const fn new(names: &'static [(&'static str, T)], place: Place<T>) -> Self {
        Self { names, place, has_default: true }
    }

    pub const fn without_default(self) -> Self {
        Self { has_default: false, ..self }
    }
}

impl<T: Copy + Send + Sync> KeyType for OneOf<T> {
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        self.place.put(reader.one_of(entry, self.names), entry, layer);
    }

    fn schema(&self) -> Value {
        let names = names(self.names);
        if self.has_default {
            json!({"enum": names, "default": names.first()})
        } else {
            json!({"enum": names})
        }
    }

    fn values(&self, _: bool) -> Vec<String> {
        names(self.names).into_iter().map(quoted).collect()
    }
}

/// A string that is not empty.
pub(super) struct Text {
    /// In the words of an error: "the path of a file".
    expected: &'static str,
    example: &'static str,
    place: Place<ConfigString>,
}

impl Text {
    pub const fn new(
        expected: &'static str,
        example: &'static str,
        place: fn(&mut ConfigLayer) -> &mut Option<ConfigString>,
    ) -> Self {
        Self { expected, example, place: Place::Layer(place) }
    }
}

impl KeyType for Text {
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        self.place.put(reader.text(entry, self.expected), entry, layer);
    }

    fn schema(&self) -> Value {
        json!({"type": "string", "minLength": 1, "examples": [self.example]})
    }

    fn values(&self, _: bool) -> Vec<String> {
        vec![quoted(self.example)]
    }
}

/// A list of strings, or a single string.
pub(super) struct Strings {
    /// Without any, the default is completed.
    examples: &'static [&'static str],
    /// The regular expression of an item; the list has a default then, and no examples.
    pattern: Option<&'static str>,
    read: fn(&mut KeyReader, &ConfigEntry<'_>) -> Option<Vec<ConfigString>>,
    /// The reason why an item is invalid.
    check: fn(&str) -> Result<(), String>,
    /// True if invalid items are kept, beside their errors.
    keeps_invalid: bool,
    place: StringsPlace,
}

enum StringsPlace {
    Layer(Place<Vec<ConfigString>>),
    /// A list that is empty by default.
    List(fn(&mut ConfigLayer) -> &mut Vec<ConfigString>),
    Settings(Place<Vec<String>>),
}

impl Strings {
    pub const fn layer(
        examples: &'static [&'static str],
        place: fn(&mut ConfigLayer) -> &mut Option<Vec<ConfigString>>,
    ) -> Self {
        Self::new(examples, StringsPlace::Layer(Place::Layer(place)))
    }

    /// Paths of members.
    pub const fn paths(
        examples: &'static [&'static str],
        place: fn(&mut ConfigLayer) -> &mut Vec<ConfigString>,
    ) -> Self {
        Self::new(examples, StringsPlace::List(place)).dropping(check_path)
    }

    pub const fn settings(
        examples: &'static [&'static str],
        place: fn(&mut Settings) -> &mut Vec<String>,
    ) -> Self {
        Self::new(examples, StringsPlace::Settings(Place::Settings(place)))
    }

    const fn new(examples: &'static [&'static str], place: StringsPlace) -> Self {
        let read = KeyReader::strings;
        Self { examples, pattern: None, read, check: |_| Ok(()), keeps_invalid: false, place }
    }

    pub const fn pattern(self, pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    pub const fn read(self, read: fn(&mut KeyReader, &ConfigEntry<'_>) -> Option<Vec<ConfigString>>) -> Self {
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

    /// The examples, or the default.
    fn shown(&self) -> Vec<String> {
        match &self.place {
            StringsPlace::Settings(place) if self.examples.is_empty() => place.default().unwrap_or_default(),
            _ => self.examples.iter().map(ToString::to_string).collect(),
        }
    }
}

impl KeyType for Strings {
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        let Some(mut found) = (self.read)(reader, entry) else { return };
        found.retain(|item| match (self.check)(&item.text) {
            Ok(()) => true,
            Err(reason) => {
                reader.fault(item.span.clone(), reason);
                self.keeps_invalid
            }
        });
        match &self.place {
            StringsPlace::Layer(place) => place.put(Some(found), entry, layer),
            StringsPlace::List(place) => *place(layer) = found,
            StringsPlace::Settings(place) => {
                place.put(Some(found.into_iter().map(|it| it.text).collect()), entry, layer);
            }
        }
    }

    fn schema(&self) -> Value {
        let (item, name, shown) = match self.pattern {
            Some(pattern) => (json!({"type": "string", "pattern": pattern}), "default", json!(self.shown())),
            None => (json!({"type": "string"}), "examples", json!([self.shown()])),
        };
        json!({"anyOf": [{"type": "array", "items": item}, item], name: shown})
    }

    fn values(&self, in_list: bool) -> Vec<String> {
        let listed = |text: &String| if in_list { quoted(text) } else { format!("[{}]", quoted(text)) };
        let mut shown = self.shown();
        if shown.iter().any(|text| text.starts_with("preset:")) {
            let presets = preset_names().map(|name| format!("preset:{name}"));
            let presets: Vec<_> = presets.filter(|preset| !shown.contains(preset)).collect();
            shown.extend(presets);
        }
        shown.iter().map(listed).collect()
    }
}

/// A table, or several.
pub(super) struct Tables {
    kind: TableKind,
    read: fn(&mut KeyReader, &ConfigEntry<'_>, &mut ConfigLayer),
}

impl Tables {
    pub const fn new(kind: TableKind, read: fn(&mut KeyReader, &ConfigEntry<'_>, &mut ConfigLayer)) -> Self {
        Self { kind, read }
    }

    /// A table whose keys are settings.
    pub const fn keys(keys: &'static [SchemaKey]) -> Self {
        Self::new(TableKind::Keys(keys), |_, _, _| {})
    }
}

impl KeyType for Tables {
    fn read(&self, reader: &mut KeyReader, entry: &ConfigEntry<'_>, layer: &mut ConfigLayer) {
        match self.kind {
            TableKind::Keys(keys) => reader.table(entry.value, entry.path, keys, layer),
            _ => (self.read)(reader, entry, layer),
        }
    }

    fn schema(&self) -> Value {
        match self.kind {
            TableKind::None => json!({}),
            TableKind::Keys(keys) => Value::Object(table_schema(keys)),
            TableKind::List(keys, required) => {
                let mut one = table_schema(keys);
                one.insert("required".into(), keys.iter().take(required).map(|key| key.name).collect());
                json!({"type": "array", "items": one})
            }
            TableKind::Named(keys) => {
                let (names, keys) = (names_schema(), table_schema(keys));
                json!({"type": "object", "propertyNames": names, "additionalProperties": keys})
            }
            // In draft 7 keywords beside a `$ref` are ignored.
            TableKind::Severities => json!({"allOf": [{"$ref": "#/definitions/lint"}]}),
            TableKind::Signature => json!({"allOf": [{"$ref": "#/definitions/signature"}]}),
            TableKind::Headers => {
                let examples = json!([{"Authorization": "Bearer ${env:GITHUB_TOKEN}"}]);
                json!({"type": "object", "additionalProperties": {"type": "string"}, "examples": examples})
            }
            TableKind::Variables => json!({
                "anyOf": [
                    {"type": "object", "additionalProperties": {"type": "string"}},
                    {"type": "array", "items": {"type": "string"}},
                ],
                "examples": [["GITHUB_TOKEN"], {"TOKEN": "${env:GITHUB_TOKEN}"}],
            }),
        }
    }

    fn values(&self, _: bool) -> Vec<String> {
        match self.kind {
            TableKind::Variables => vec!["[\"NAME\"]".to_owned()],
            _ => Vec::new(),
        }
    }

    fn table(&self) -> TableKind {
        self.kind
    }
}

/// The schema of a table with `keys`.
pub(super) fn table_schema(keys: &[SchemaKey]) -> Map<String, Value> {
    let property = |key: &SchemaKey| {
        let mut schema = key.takes.schema();
        schema["description"] = key.does.into();
        (key.name.to_owned(), schema)
    };
    let properties: Map<_, _> = keys.iter().map(property).collect();
    let table = json!({"type": "object", "properties": properties, "additionalProperties": false});
    table.as_object().cloned().unwrap_or_default()
}
