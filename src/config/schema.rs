//! The table of configuration keys, and the JSON Schema with which editors complete and validate
//! `chatls.toml`.
//!
//! Reading, completion, the schema and the settings of editors all follow from this table.

use serde_json::{Map, Value, json};

use super::keys::{
    APIS, FAILED, KeyReader, MAX_INDENT, PARTS, PAYLOADS, PROTOCOLS, SEVERITIES, TEXT_PARTS, check_language,
    check_role, names,
};
use super::values::{KeyType, OneOf, Place, Spaces, Strings, Switch, TableKind, Tables, Text, table_schema};
use crate::diagnostic::{Code, Severity};
use crate::forms::UserTest;

mod run_keys;

pub(super) use run_keys::{COMPARE_KEYS, PROGRAM_KEYS, REDACT_KEYS, SERVER_KEYS};

/// A key: its name, its type, and its description.
pub(super) struct SchemaKey {
    pub name: &'static str,
    pub takes: &'static dyn KeyType,
    pub does: &'static str,
}

const fn key(name: &'static str, takes: &'static dyn KeyType, does: &'static str) -> SchemaKey {
    SchemaKey { name, takes, does }
}

/// A table of severities by code.
const LINT: Tables =
    Tables::new(TableKind::Severities, |reader, entry, layer| layer.lint = reader.lint(entry));

/// The keys of a configuration.
pub(super) const KEYS: &[SchemaKey] = &[
    key(
        "enable",
        &Switch::layer(true, |layer| &mut layer.enable),
        "Enables chatls. `false` in this file or in the editor's settings switches all features off.",
    ),
    key(
        "extends",
        &Text::new("the path of a configuration", "../chatls.toml", |layer| &mut layer.extends),
        "The configuration that this one extends, relative to this file: its keys apply unless this file sets them, and its tools come first.",
    ),
    key(
        "root",
        &Switch::layer(false, |layer| &mut layer.root),
        "Makes this configuration independent of the one in a parent folder.",
    ),
    key(
        "tools",
        &Strings::layer(&["tools.json", "preset:file-tools", "preset:chartsmith"], |layer| &mut layer.tools),
        "The known tools: JSON files (MCP, OpenAI, Anthropic, AI SDK or toolClients), relative to this file, and presets. Of two tools with \
         one name the later one applies. Without any, tool names are not checked.",
    ),
    key(
        "protocol",
        &OneOf::new(&PROTOCOLS, Place::Settings(|it| &mut it.protocol)),
        "The AI SDK version that reads the documents. `auto`: detected by the keys of a stream log, and `v5` for everything else.",
    ),
    key(
        "api",
        &OneOf::new(&APIS, Place::Layer(|layer| &mut layer.api)),
        "The API whose rules hold for requests in JSON without calls that show it. `auto`: OpenAI for training sets; roles and contents \
         of other such requests are not checked.",
    ),
    key(
        "include",
        &Strings::layer(&["**/*.chat.md", "logs/**"], |layer| &mut layer.include),
        "The documents to check, as globs relative to this file. Default: all documents that are opened or named.",
    ),
    key(
        "exclude",
        &Strings::layer(&["README.md"], |layer| &mut layer.exclude),
        "The documents not to check, even if `include` matches them, as globs relative to this file.",
    ),
    key("fence", &Tables::keys(FENCE_KEYS), "The opening of tool fences."),
    key("lint", &LINT, "The severity of each code."),
    key(
        "override",
        &Tables::new(TableKind::List(OVERRIDE_KEYS, 1), |reader, entry, layer| {
            layer.overrides = reader.overrides(entry)
        }),
        "The severities of codes, and the API, in some documents. If several match a document, the last one wins.",
    ),
    key(
        "dialect",
        &Tables::new(TableKind::List(DIALECT_KEYS, 3), |reader, entry, layer| {
            layer.forms = reader.dialects(entry)
        }),
        "Tool calls and results of your own in JSON logs, besides the known ones: each describes one kind of object.",
    ),
    key(
        "text",
        &Tables::new(TableKind::List(TEXT_KEYS, 2), |reader, entry, layer| layer.texts = reader.texts(entry)),
        "Tool calls and results of your own in Markdown, besides the known ones: each describes one form.",
    ),
    key(
        "servers",
        &Tables::new(TableKind::Named(SERVER_KEYS), |reader, entry, layer| {
            layer.servers = reader.servers(entry)
        }),
        "MCP servers by name, whose tools are known once `chatls tools pull` has asked them. None is started before you agree to exactly that.",
    ),
    key(
        "run",
        &Tables::new(TableKind::Named(PROGRAM_KEYS), |reader, entry, layer| {
            layer.programs = reader.programs(entry)
        }),
        "Programs that are tools, by the name of the tool. None is started before you agree to exactly that.",
    ),
    key(
        "compare",
        &Tables::keys(COMPARE_KEYS),
        "The differences to accept when `chatls run --compare` compares recorded results with those of now. Its options add to them.",
    ),
    key(
        "redact",
        &Tables::keys(REDACT_KEYS),
        "The texts that `chatls redact` replaces besides secrets, home folders, user names and mail addresses, and those that it leaves.",
    ),
    key("format", &Tables::keys(FORMAT_KEYS), "The format of payloads."),
    key("hints", &Tables::keys(HINTS_KEYS), "The enabled inlay hints."),
    key("lenses", &Tables::keys(LENSES_KEYS), "The enabled code lenses."),
    key(
        "turns",
        &Tables::keys(TURNS_KEYS),
        "The names of the speakers in `User:`, `**User:**`, `### User` and similar beginnings of a message, in any case. \
         An empty list disables the role.",
    ),
];

/// The keys of `fence`.
pub(super) const FENCE_KEYS: &[SchemaKey] = &[key(
    "languages",
    &Strings::settings(&[], |it| &mut it.fence_languages).pattern("^\\S+$").dropping(check_language),
    "The first words of the info strings of tool fences.",
)];

/// The keys of each `override`.
pub(super) const OVERRIDE_KEYS: &[SchemaKey] = &[
    key(
        "files",
        &Strings::layer(&["drafts/**"], |layer| &mut layer.files),
        "The documents that it applies to, as globs relative to this file.",
    ),
    key("lint", &LINT, "The severity of each code in them."),
    key(
        "api",
        &OneOf::new(&APIS, Place::Layer(|layer| &mut layer.api)),
        "The API whose rules hold for them.",
    ),
];

/// The keys of each `dialect`.
pub(super) const DIALECT_KEYS: &[SchemaKey] = &[
    key(
        "name",
        &Text::new("a name", "acme-call", |layer| &mut layer.form.name),
        "The name of this kind of object.",
    ),
    key(
        "part",
        &OneOf::new(&PARTS, Place::Layer(|layer| &mut layer.form.part)).without_default(),
        "The kind of such an object: a `call`, a `result`, or `both` in one.",
    ),
    key(
        "signature",
        &Tables::new(TableKind::Signature, |reader, entry, layer| {
            layer.form.signature = reader.signature(entry)
        }),
        "The members that identify such an object, by path. The value is a type (`any`, `string`, `number`, `boolean`, `object`, `array`; `absent` for none), a list of strings of which the member is one, `true` or `false`.",
    ),
    key(
        "message",
        &Switch::layer(false, |layer| &mut layer.form.is_message),
        "True if such an object is a message of its own. The array of such objects is a conversation, which ids hold within.",
    ),
    key(
        "id",
        &Strings::paths(&["callId"], |layer| &mut layer.form.id),
        "The path of the id. Of several paths the first with a value counts. Results without an id belong to calls by their order.",
    ),
    key(
        "tool",
        &Strings::paths(&["tool.name"], |layer| &mut layer.form.tool).read(KeyReader::one_path),
        "The path of the tool name.",
    ),
    key(
        "input",
        &Strings::paths(&["tool.arguments"], |layer| &mut layer.form.input),
        "The path of the input. Of several paths the first with a value counts.",
    ),
    key(
        "output",
        &Strings::paths(&["result"], |layer| &mut layer.form.output),
        "The path of the output. Of several paths the first with a value counts.",
    ),
    key(
        "error",
        &Strings::paths(&["error"], |layer| &mut layer.form.error),
        "The path of the error: anything but `null` and `false`. `true` says that the output is the error.",
    ),
    key(
        "state",
        &Strings::paths(&["status"], |layer| &mut layer.form.state),
        "The path of the state. If it is `false` or one of `failed`, the output is the error.",
    ),
    key(
        "failed",
        &Strings::layer(&FAILED, |layer| &mut layer.form.failed).pattern("^\\S"),
        "The states that mean a failure.",
    ),
    key(
        "json",
        &Strings::paths(&["tool.arguments"], |layer| &mut layer.form.json),
        "The paths of strings that contain JSON: an input, or a string that all paths begin in.",
    ),
];

/// The keys of each `text`.
pub(super) const TEXT_KEYS: &[SchemaKey] = &[
    key("name", &Text::new("a name", "acme-call", |layer| &mut layer.text.name), "The name of this form."),
    key(
        "first",
        &Text::new("a line with `{name}`", "🔧 Tool: {name}", |layer| &mut layer.text.first),
        "Its first line, which begins with text. `{name}` is the tool, `{id}` the id, `{input}` the input, `{output}` the output, which goes on to the end of the paragraph, and `{any}` any text.",
    ),
    key(
        "part",
        &OneOf::new(&TEXT_PARTS, Place::Layer(|layer| &mut layer.text.part)),
        "The kind of such a text: a `call`, with its result if it has an output, or a `result`, which belongs to the call before it.",
    ),
    key(
        "input",
        &Text::new("the beginning of a line", "Input:", |layer| &mut layer.text.input),
        "The beginning of the line of the input: the text behind it, or the code block below it.",
    ),
    key(
        "output",
        &Text::new("the beginning of a line", "Output:", |layer| &mut layer.text.output),
        "The beginning of the line of the output.",
    ),
    key(
        "error",
        &Text::new("the beginning of a line", "Error:", |layer| &mut layer.text.error),
        "The beginning of the line of the error.",
    ),
    key(
        "languages",
        &Strings::layer(&["json"], |layer| &mut layer.text.languages)
            .pattern("^\\S+$")
            .dropping(check_language),
        "The languages of the fenced code blocks that such a form is. Then all of the rest is the input, unless that has a label.",
    ),
];

/// The keys of `format`.
pub(super) const FORMAT_KEYS: &[SchemaKey] = &[
    key(
        "payload",
        &OneOf::new(&PAYLOADS, Place::Settings(|it| &mut it.format.payload)),
        "`pretty`: one line per member; `compact`: all on one line; `keep`: unchanged.",
    ),
    key(
        "indent",
        &Spaces(MAX_INDENT, |it| &mut it.format.indent),
        "The number of spaces per level of a payload on several lines.",
    ),
];

/// The keys of `hints`.
pub(super) const HINTS_KEYS: &[SchemaKey] = &[
    key(
        "batch",
        &Switch::settings(|it| &mut it.hints.batch),
        "The label of a batch of tool calls, at the end of its first line.",
    ),
    key(
        "result",
        &Switch::settings(|it| &mut it.hints.result),
        "The result of a call, or `⏳` while the call is pending.",
    ),
    key("id", &Switch::settings(|it| &mut it.hints.id), "The id that a call without one gets."),
];

/// The keys of `lenses`.
pub(super) const LENSES_KEYS: &[SchemaKey] = &[
    key(
        "batch",
        &Switch::settings(|it| &mut it.lenses.batch),
        "The label of each batch of tool calls, and its conversion.",
    ),
    key("pending", &Switch::settings(|it| &mut it.lenses.pending), "The completion of each pending call."),
    key(
        "run",
        &Switch::settings(|it| &mut it.lenses.run),
        "The run of each pending call that a server, a program or a preset of the configuration can run.",
    ),
];

/// The keys of `turns`.
pub(super) const TURNS_KEYS: &[SchemaKey] = &[
    key(
        "user",
        &Strings::settings(&[], |it| &mut it.turns.user).pattern("^\\S").dropping(check_role),
        "The person.",
    ),
    key(
        "assistant",
        &Strings::settings(&[], |it| &mut it.turns.assistant).pattern("^\\S").dropping(check_role),
        "The model.",
    ),
    key(
        "system",
        &Strings::settings(&[], |it| &mut it.turns.system).pattern("^\\S").dropping(check_role),
        "The instructions to the model.",
    ),
];

/// The JSON Schema (draft 7, which TOML editors know) of `chatls.toml`.
pub fn schema() -> Value {
    let mut root = table_schema(KEYS);
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
