//! The table of configuration keys, and the JSON Schema with which editors complete and validate
//! `chatls.toml`.
//!
//! Reading, completion, the schema and the settings of editors all follow from this table.

use serde_json::{Map, Value, json};

use super::keys::dialects::{FAILED, PARTS};
use super::keys::{APIS, ConfigEntry, KeyReader, MAX_INDENT, PAYLOADS, PROTOCOLS, SEVERITIES};
use super::layer::ConfigLayer;
use super::run_settings::names_schema;
use super::{FormatSettings, HintSettings, LensSettings};
use crate::call::turn::TurnSettings;
use crate::diagnostic::{Code, Severity};
use crate::forms::UserTest;

mod run_keys;

pub(super) use run_keys::{COMPARE_KEYS, PROGRAM_KEYS, REDACT_KEYS, SERVER_KEYS};

/// A key: its name, its type, and its description.
pub(super) struct SchemaKey {
    pub name: &'static str,
    pub takes: KeyType,
    pub read: ReadKey,
    pub does: &'static str,
}

/// Reads a value into a layer.
type ReadKey = fn(&mut KeyReader, &ConfigEntry<'_>, &mut ConfigLayer);

/// The type of a key's value.
pub(super) enum KeyType {
    /// A string that is not empty.
    Text { example: &'static str },
    /// A list of strings, or a single string.
    Strings { examples: &'static [&'static str] },
    /// A list of words, or a single word.
    Words { default: &'static str },
    /// A list of names of roles, or a single name.
    Names { default: fn() -> Vec<String> },
    /// One of the names in a table; the first is the default.
    OneOf(fn() -> Vec<&'static str>),
    /// One of the names in a table.
    Choice(fn() -> Vec<&'static str>),
    /// A number from 0 to this, with a default.
    Number(i64, fn() -> usize),
    /// A boolean, with a default.
    Switch(fn() -> bool),
    /// A table with these keys.
    Table(&'static [SchemaKey]),
    /// A table of severities by code.
    Lint,
    /// The members of an object, with their types.
    Signature,
    /// A list of tables, each with these keys; the first keys are required, in this number.
    Tables(&'static [SchemaKey], usize),
    /// Tables by a name of the user's, each with these keys.
    Named(&'static [SchemaKey]),
    /// Values of variables by name, or a list of names.
    Variables,
    /// Values of headers by name.
    Headers,
}

const fn key(name: &'static str, takes: KeyType, read: ReadKey, does: &'static str) -> SchemaKey {
    SchemaKey { name, takes, read, does }
}

/// The keys of a configuration.
pub(super) const KEYS: &[SchemaKey] = &[
    key(
        "enable",
        KeyType::Switch(|| true),
        |reader, entry, layer| layer.enable = reader.boolean(entry),
        "Enables chatls. `false` in this file or in the editor's settings switches all features off.",
    ),
    key(
        "extends",
        KeyType::Text { example: "../chatls.toml" },
        |reader, entry, layer| layer.extends = reader.text(entry, "the path of a configuration"),
        "The configuration that this one extends, relative to this file: its keys apply unless this file sets them, and its tools come first.",
    ),
    key(
        "root",
        KeyType::Switch(|| false),
        |reader, entry, layer| layer.root = reader.boolean(entry),
        "Makes this configuration independent of the one in a parent folder.",
    ),
    key(
        "tools",
        KeyType::Strings { examples: &["tools.json", "preset:file-tools", "preset:chartsmith"] },
        |reader, entry, layer| layer.tools = reader.strings(entry),
        "The known tools: JSON files (MCP, OpenAI, Anthropic, AI SDK or toolClients), relative to this file, and presets. Of two tools with \
         one name the later one applies. Without any, tool names are not checked.",
    ),
    key(
        "protocol",
        KeyType::OneOf(|| names(&PROTOCOLS)),
        |reader, entry, layer| layer.protocol = reader.one_of(entry, &PROTOCOLS),
        "The AI SDK version that reads the documents. `auto`: detected by the keys of a stream log, and `v5` for everything else.",
    ),
    key(
        "api",
        KeyType::OneOf(|| names(&APIS)),
        |reader, entry, layer| layer.api = reader.one_of(entry, &APIS),
        "The API whose rules hold for requests in JSON without calls that show it. `auto`: OpenAI for training sets; roles and contents \
         of other such requests are not checked.",
    ),
    key(
        "include",
        KeyType::Strings { examples: &["**/*.chat.md", "logs/**"] },
        |reader, entry, layer| layer.include = reader.strings(entry),
        "The documents to check, as globs relative to this file. Default: all documents that are opened or named.",
    ),
    key(
        "exclude",
        KeyType::Strings { examples: &["README.md"] },
        |reader, entry, layer| layer.exclude = reader.strings(entry),
        "The documents not to check, even if `include` matches them, as globs relative to this file.",
    ),
    key(
        "fence",
        KeyType::Table(FENCE_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, FENCE_KEYS, layer),
        "The opening of tool fences.",
    ),
    key(
        "lint",
        KeyType::Lint,
        |reader, entry, layer| layer.lint = reader.lint(entry),
        "The severity of each code.",
    ),
    key(
        "override",
        KeyType::Tables(OVERRIDE_KEYS, 1),
        |reader, entry, layer| layer.overrides = reader.overrides(entry),
        "The severities of codes, and the API, in some documents. If several match a document, the last one wins.",
    ),
    key(
        "dialect",
        KeyType::Tables(DIALECT_KEYS, 3),
        |reader, entry, layer| layer.forms = reader.dialects(entry),
        "Tool calls and results of your own in JSON logs, besides the known ones: each describes one kind of object.",
    ),
    key(
        "servers",
        KeyType::Named(SERVER_KEYS),
        |reader, entry, layer| layer.servers = reader.servers(entry),
        "MCP servers by name, whose tools are known once `chatls tools pull` has asked them. None is started before you agree to exactly that.",
    ),
    key(
        "run",
        KeyType::Named(PROGRAM_KEYS),
        |reader, entry, layer| layer.programs = reader.programs(entry),
        "Programs that are tools, by the name of the tool. None is started before you agree to exactly that.",
    ),
    key(
        "compare",
        KeyType::Table(COMPARE_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, COMPARE_KEYS, layer),
        "What may differ when `chatls run --compare` compares recorded results with those of now. Its options add to it.",
    ),
    key(
        "redact",
        KeyType::Table(REDACT_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, REDACT_KEYS, layer),
        "What `chatls redact` replaces besides secrets, home folders, user names and mail addresses, and what it leaves.",
    ),
    key(
        "format",
        KeyType::Table(FORMAT_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, FORMAT_KEYS, layer),
        "The format of payloads.",
    ),
    key(
        "hints",
        KeyType::Table(HINTS_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, HINTS_KEYS, layer),
        "The enabled inlay hints.",
    ),
    key(
        "lenses",
        KeyType::Table(LENSES_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, LENSES_KEYS, layer),
        "The enabled code lenses.",
    ),
    key(
        "turns",
        KeyType::Table(TURNS_KEYS),
        |reader, entry, layer| reader.table(entry.value, entry.path, TURNS_KEYS, layer),
        "The names of the speakers in `User:`, `**User:**`, `### User` and similar beginnings of a message, in any case. \
         An empty list disables the role.",
    ),
];

/// The keys of `fence`.
pub(super) const FENCE_KEYS: &[SchemaKey] = &[key(
    "languages",
    KeyType::Words { default: "tool" },
    |reader, entry, layer| layer.fence_languages = reader.languages(entry),
    "The first words of the info strings of tool fences.",
)];

/// The keys of each `override`.
pub(super) const OVERRIDE_KEYS: &[SchemaKey] = &[
    key(
        "files",
        KeyType::Strings { examples: &["drafts/**"] },
        |reader, entry, layer| layer.files = reader.strings(entry),
        "The documents that it applies to, as globs relative to this file.",
    ),
    key(
        "lint",
        KeyType::Lint,
        |reader, entry, layer| layer.lint = reader.lint(entry),
        "The severity of each code in them.",
    ),
    key(
        "api",
        KeyType::OneOf(|| names(&APIS)),
        |reader, entry, layer| layer.api = reader.one_of(entry, &APIS),
        "The API whose rules hold for them.",
    ),
];

/// The keys of each `dialect`.
pub(super) const DIALECT_KEYS: &[SchemaKey] = &[
    key(
        "name",
        KeyType::Text { example: "acme-call" },
        |reader, entry, layer| layer.form.name = reader.text(entry, "a name"),
        "The name of this kind of object.",
    ),
    key(
        "part",
        KeyType::Choice(|| names(&PARTS)),
        |reader, entry, layer| layer.form.part = reader.one_of(entry, &PARTS),
        "What such an object is: a `call`, a `result`, or `both` in one.",
    ),
    key(
        "signature",
        KeyType::Signature,
        |reader, entry, layer| layer.form.signature = reader.signature(entry),
        "The members that identify such an object, by path. The value is a type (`any`, `string`, `number`, `boolean`, `object`, `array`; `absent` for none), a list of strings of which the member is one, `true` or `false`.",
    ),
    key(
        "message",
        KeyType::Switch(|| false),
        |reader, entry, layer| layer.form.is_message = reader.boolean(entry),
        "Whether such an object is a message of its own. The array of such objects is a conversation, which ids hold within.",
    ),
    key(
        "id",
        KeyType::Strings { examples: &["callId"] },
        |reader, entry, layer| layer.form.id = reader.paths(entry),
        "The path of the id. Of several paths the first with a value counts. Results without an id belong to calls by their order.",
    ),
    key(
        "tool",
        KeyType::Strings { examples: &["tool.name"] },
        |reader, entry, layer| layer.form.tool = reader.one_path(entry),
        "The path of the tool name.",
    ),
    key(
        "input",
        KeyType::Strings { examples: &["tool.arguments"] },
        |reader, entry, layer| layer.form.input = reader.paths(entry),
        "The path of the input. Of several paths the first with a value counts.",
    ),
    key(
        "output",
        KeyType::Strings { examples: &["result"] },
        |reader, entry, layer| layer.form.output = reader.paths(entry),
        "The path of the output. Of several paths the first with a value counts.",
    ),
    key(
        "error",
        KeyType::Strings { examples: &["error"] },
        |reader, entry, layer| layer.form.error = reader.paths(entry),
        "The path of the error: anything but `null` and `false`. `true` says that the output is the error.",
    ),
    key(
        "state",
        KeyType::Strings { examples: &["status"] },
        |reader, entry, layer| layer.form.state = reader.paths(entry),
        "The path of the state. If it is `false` or one of `failed`, the output is the error.",
    ),
    key(
        "failed",
        KeyType::Names { default: || FAILED.map(str::to_owned).to_vec() },
        |reader, entry, layer| layer.form.failed = reader.strings(entry),
        "The states that mean a failure.",
    ),
    key(
        "json",
        KeyType::Strings { examples: &["tool.arguments"] },
        |reader, entry, layer| layer.form.json = reader.paths(entry),
        "The paths of strings that contain JSON: an input, or a string that all paths begin in.",
    ),
];

/// The keys of `format`.
pub(super) const FORMAT_KEYS: &[SchemaKey] = &[
    key(
        "payload",
        KeyType::OneOf(|| names(&PAYLOADS)),
        |reader, entry, layer| layer.payload = reader.one_of(entry, &PAYLOADS),
        "`pretty`: one line per member; `compact`: all on one line; `keep`: unchanged.",
    ),
    key(
        "indent",
        KeyType::Number(MAX_INDENT, || FormatSettings::default().indent),
        |reader, entry, layer| layer.indent = reader.indent(entry),
        "The number of spaces per level of a payload on several lines.",
    ),
];

/// The keys of `hints`.
pub(super) const HINTS_KEYS: &[SchemaKey] = &[
    key(
        "batch",
        KeyType::Switch(|| HintSettings::default().batch),
        |reader, entry, layer| layer.hint_batch = reader.boolean(entry),
        "The label of a batch of tool calls, at the end of its first line.",
    ),
    key(
        "result",
        KeyType::Switch(|| HintSettings::default().result),
        |reader, entry, layer| layer.hint_result = reader.boolean(entry),
        "The result of a call, or `⏳` while the call is pending.",
    ),
    key(
        "id",
        KeyType::Switch(|| HintSettings::default().id),
        |reader, entry, layer| layer.hint_id = reader.boolean(entry),
        "The id that a call without one gets.",
    ),
];

/// The keys of `lenses`.
pub(super) const LENSES_KEYS: &[SchemaKey] = &[
    key(
        "batch",
        KeyType::Switch(|| LensSettings::default().batch),
        |reader, entry, layer| layer.lens_batch = reader.boolean(entry),
        "The label of each batch of tool calls, and its conversion.",
    ),
    key(
        "pending",
        KeyType::Switch(|| LensSettings::default().pending),
        |reader, entry, layer| layer.lens_pending = reader.boolean(entry),
        "The completion of each pending call.",
    ),
    key(
        "run",
        KeyType::Switch(|| LensSettings::default().run),
        |reader, entry, layer| layer.lens_run = reader.boolean(entry),
        "The run of each pending call that a server, a program or a preset of the configuration can run.",
    ),
];

/// The keys of `turns`.
pub(super) const TURNS_KEYS: &[SchemaKey] = &[
    key(
        "user",
        KeyType::Names { default: || TurnSettings::default().user },
        |reader, entry, layer| layer.turn_user = reader.roles(entry),
        "The person.",
    ),
    key(
        "assistant",
        KeyType::Names { default: || TurnSettings::default().assistant },
        |reader, entry, layer| layer.turn_assistant = reader.roles(entry),
        "The model.",
    ),
    key(
        "system",
        KeyType::Names { default: || TurnSettings::default().system },
        |reader, entry, layer| layer.turn_system = reader.roles(entry),
        "The instructions to the model.",
    ),
];

/// The JSON Schema (draft 7, which TOML editors know) of `chatls.toml`.
pub fn schema() -> Value {
    let mut root = table(KEYS);
    root.insert("$schema".into(), "http://json-schema.org/draft-07/schema#".into());
    root.insert("title".into(), "chatls.toml".into());
    root.insert(
        "description".into(),
        "The configuration of chatls, the language server for chat documents, for the documents in this folder and below it.".into(),
    );
    let severities: Map<_, _> = Code::ALL.iter().map(|code| (code.name().into(), severity(*code))).collect();
    root.insert(
        "definitions".into(),
        json!({
            "lint": {"type": "object", "properties": severities, "additionalProperties": false},
            "signature": signature(),
        }),
    );
    Value::Object(root)
}

fn table(keys: &[SchemaKey]) -> Map<String, Value> {
    let properties: Map<_, _> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let table = json!({"type": "object", "properties": properties, "additionalProperties": false});
    table.as_object().cloned().unwrap_or_default()
}

fn property(key: &SchemaKey) -> Value {
    let mut schema = match &key.takes {
        KeyType::Text { example } => json!({"type": "string", "minLength": 1, "examples": [example]}),
        KeyType::Strings { examples } => json!({
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}],
            "examples": [examples],
        }),
        KeyType::Words { default } => {
            let word = json!({"type": "string", "pattern": "^\\S+$"});
            json!({"anyOf": [{"type": "array", "items": word}, word], "default": [default]})
        }
        KeyType::Names { default } => {
            let name = json!({"type": "string", "pattern": "^\\S"});
            json!({"anyOf": [{"type": "array", "items": name}, name], "default": default()})
        }
        KeyType::OneOf(names) => {
            let names = names();
            json!({"enum": names, "default": names.first()})
        }
        KeyType::Number(most, default) => {
            json!({"type": "integer", "minimum": 0, "maximum": most, "default": default()})
        }
        KeyType::Switch(default) => json!({"type": "boolean", "default": default()}),
        KeyType::Table(keys) => Value::Object(table(keys)),
        // In draft 7 keywords beside a `$ref` are ignored.
        KeyType::Lint => json!({"allOf": [{"$ref": "#/definitions/lint"}]}),
        KeyType::Choice(names) => json!({"enum": names()}),
        KeyType::Signature => json!({"allOf": [{"$ref": "#/definitions/signature"}]}),
        KeyType::Tables(keys, required) => {
            let mut one = table(keys);
            one.insert("required".into(), keys.iter().take(*required).map(|key| key.name).collect());
            json!({"type": "array", "items": one})
        }
        KeyType::Named(keys) => json!({
            "type": "object",
            "propertyNames": names_schema(),
            "additionalProperties": table(keys),
        }),
        KeyType::Variables => json!({
            "anyOf": [
                {"type": "object", "additionalProperties": {"type": "string"}},
                {"type": "array", "items": {"type": "string"}},
            ],
            "examples": [["GITHUB_TOKEN"], {"TOKEN": "${env:GITHUB_TOKEN}"}],
        }),
        KeyType::Headers => json!({
            "type": "object",
            "additionalProperties": {"type": "string"},
            "examples": [{"Authorization": "Bearer ${env:GITHUB_TOKEN}"}],
        }),
    };
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".into(), key.does.into());
    }
    schema
}

/// The schema of a signature: a table of types and constants by key, which may have tables in it.
fn signature() -> Value {
    let member = json!({"anyOf": [
        {"enum": names(&UserTest::TYPES)},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        {"$ref": "#/definitions/signature"},
    ]});
    json!({"type": "object", "minProperties": 1, "additionalProperties": member})
}

fn severity(code: Code) -> Value {
    json!({
        "description": code.summary(),
        "enum": names(&SEVERITIES),
        "default": code.default_severity().map_or("off", Severity::name),
    })
}

fn names<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(name, _)| *name).collect()
}
