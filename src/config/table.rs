//! The declaration of tables: a row for each key has its documentation, its type and its place.
//!
//! `layer!` declares the struct of a table's values, and `settings!` a table whose values change
//! the settings. Reading, completion and the schema all follow from the rows.

use serde_json::{Map, Value, json};

use super::Settings;
use super::keys::{ConfigEntry, KeyReader};
use super::run_settings::names_schema;

/// A key as completion and the schema see it.
pub(super) struct SchemaKey {
    pub name: &'static str,
    /// The documentation.
    pub does: &'static str,
    /// The JSON Schema of the value, without a description.
    pub schema: fn() -> Value,
    /// The values to complete, as TOML; in a list, the values of its items.
    pub values: fn(bool) -> Vec<String>,
    /// The table, if the value is one.
    pub table: fn() -> TableKind,
}

/// The tables of a configuration.
#[derive(Clone, Copy)]
pub(super) enum TableKind {
    /// The value is not a table.
    None,
    /// `[key]` with these keys.
    Keys(&'static [SchemaKey]),
    /// `[[key]]` with these keys, and the number of required keys, which come first.
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

/// The values of a table; `None` are unset.
pub(super) trait ConfigTable: Default {
    const KEYS: &'static [SchemaKey];

    /// Reads the value of the key `name`. An error leaves it unset.
    fn read(&mut self, name: &str, reader: &mut KeyReader, entry: &ConfigEntry<'_>);
}

/// A change of one setting.
pub(super) type SettingChange = Box<dyn Fn(&mut Settings) + Send + Sync>;

/// A table whose values change settings.
pub(super) struct SettingTable {
    pub keys: &'static [SchemaKey],
    /// Reads the value of a key by its name.
    pub read: fn(&str, &mut KeyReader, &ConfigEntry<'_>) -> Option<SettingChange>,
}

macro_rules! schema_key {
    ($name:expr, $takes:expr, $default:expr, $($does:literal)+) => {
        SchemaKey {
            name: $name,
            does: concat!($($does),+).trim_ascii_start(),
            schema: || $takes.schema($default),
            values: |in_list| $takes.values($default, in_list),
            table: || $takes.table(),
        }
    };
}
pub(super) use schema_key;

/// Declares the struct of a table's values, with `field: Value = TYPE`, or `field as key: …`.
macro_rules! layer {
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:ident) => { stringify!($name) };
    ($(#[doc = $about:literal])+ $layer:ident {
        $($(#[doc = $does:literal])+ $field:ident $(as $name:ident)?: $value:ty = $takes:expr,)+
    }) => {
        $(#[doc = $about])+
        #[derive(Default)]
        pub(super) struct $layer { $(pub $field: Option<$value>,)+ }

        impl ConfigTable for $layer {
            const KEYS: &'static [SchemaKey] =
                &[$(schema_key!(layer!(@name $field $($name)?), $takes, None, $($does)+)),+];

            fn read(&mut self, name: &str, reader: &mut KeyReader, entry: &ConfigEntry<'_>) {
                $(if name == layer!(@name $field $($name)?) {
                    self.$field = $takes.read(reader, entry);
                })+
            }
        }
    };
}
pub(super) use layer;

/// Declares a table whose values change settings, with `key = TYPE => PLACE`.
macro_rules! settings {
    ($(#[doc = $about:literal])+ $table:ident {
        $($(#[doc = $does:literal])+ $name:ident = $takes:expr => $place:expr,)+
    }) => {
        $(#[doc = $about])+
        const $table: SettingTable = SettingTable {
            keys: &[$(schema_key!(stringify!($name), $takes, Some(default_of($place)), $($does)+)),+],
            read: |name, reader, entry| {
                $(if name == stringify!($name) {
                    return change($takes.read(reader, entry), $place);
                })+
                None
            },
        };
    };
}
pub(super) use settings;

/// The default of the setting at `place`.
pub(super) fn default_of<T: Clone>(place: fn(&mut Settings) -> &mut T) -> T {
    place(&mut Settings::default()).clone()
}

/// The change of the setting at `place` to `value`.
pub(super) fn change<T: Clone + Send + Sync + 'static>(
    value: Option<T>,
    place: fn(&mut Settings) -> &mut T,
) -> Option<SettingChange> {
    value.map(|value| -> SettingChange { Box::new(move |settings| *place(settings) = value.clone()) })
}

impl TableKind {
    /// The JSON Schema of such a table.
    pub fn schema(self) -> Value {
        match self {
            Self::None => json!({}),
            Self::Keys(keys) => Value::Object(table_schema(keys)),
            Self::List(keys, required) => {
                let mut one = table_schema(keys);
                one.insert("required".into(), keys.iter().take(required).map(|key| key.name).collect());
                json!({"type": "array", "items": one})
            }
            Self::Named(keys) => {
                let (names, keys) = (names_schema(), table_schema(keys));
                json!({"type": "object", "propertyNames": names, "additionalProperties": keys})
            }
            // In draft 7 keywords beside a `$ref` are ignored.
            Self::Severities => json!({"allOf": [{"$ref": "#/definitions/lint"}]}),
            Self::Signature => json!({"allOf": [{"$ref": "#/definitions/signature"}]}),
            Self::Headers => {
                let examples = json!([{"Authorization": "Bearer ${env:GITHUB_TOKEN}"}]);
                json!({"type": "object", "additionalProperties": {"type": "string"}, "examples": examples})
            }
            Self::Variables => json!({
                "anyOf": [
                    {"type": "object", "additionalProperties": {"type": "string"}},
                    {"type": "array", "items": {"type": "string"}},
                ],
                "examples": [["GITHUB_TOKEN"], {"TOKEN": "${env:GITHUB_TOKEN}"}],
            }),
        }
    }
}

/// The schema of a table with `keys`.
pub(super) fn table_schema(keys: &[SchemaKey]) -> Map<String, Value> {
    let property = |key: &SchemaKey| {
        let mut schema = (key.schema)();
        schema["description"] = key.does.into();
        (key.name.to_owned(), schema)
    };
    let properties: Map<_, _> = keys.iter().map(property).collect();
    let table = json!({"type": "object", "properties": properties, "additionalProperties": false});
    table.as_object().cloned().unwrap_or_default()
}
