//! One configuration layer (a file or the editor settings) with every key optional, and the table
//! of all keys.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::keys::{
    APIS, ConfigEntry, FAILED, KeyReader, MAX_INDENT, PARTS, PAYLOADS, PROTOCOLS, TEXT_PARTS, check_language,
    check_role,
};
use super::node::ConfigNode;
use super::table::{
    ConfigTable, SchemaKey, SettingChange, SettingTable, TableKind, change, default_of, layer, schema_key,
    settings,
};
use super::values::{ConfigValue, Listed, OneOf, Spaces, Switch, Table, Text, Words};
use super::{CompareRules, PayloadLayout, Protocol, RedactSettings, Settings};
use crate::call::{CallPart, ChatApi};
use crate::diagnostic::{Code, Severity};
use crate::forms::OwnText;
use crate::forms::form::{Form, FormText, ValueTest};

layer! {
    /// One configuration layer, as written.
    ConfigLayer {
        /// Enables chatls. `false` in this file or in the editor's settings switches all features
        /// off.
        enable: bool = Switch(true),
        /// The configuration that this one extends, relative to this file: its keys apply unless
        /// this file sets them, and its tools come first.
        extends: ConfigString =
            Text { expected: "the path of a configuration", example: "../chatls.toml" },
        /// Makes this configuration independent of the one in a parent folder.
        root: bool = Switch(false),
        /// The known tools: JSON files (MCP, OpenAI, Anthropic, AI SDK or toolClients), relative to
        /// this file, and presets. Of two tools with one name the later one applies. Without any
        /// source, tool names are not checked.
        tools: Vec<ConfigString> =
            Listed::new(&["tools.json", "preset:file-tools", "preset:chartsmith"]),
        /// The AI SDK version that reads the documents. `auto`: detected by the keys of a stream
        /// log, and `v5` for everything else.
        protocol: Protocol = OneOf::new(&PROTOCOLS),
        /// The API whose rules hold for requests in JSON without calls that show it. `auto`: OpenAI
        /// for training sets; roles and contents of other such requests are not checked.
        api: Option<ChatApi> = OneOf::new(&APIS),
        /// The documents to check, as globs relative to this file. Default: all documents that are
        /// opened or named.
        include: Vec<ConfigString> = Listed::new(&["**/*.chat.md", "logs/**"]),
        /// The documents and folders not to check, even if `include` matches them, as globs
        /// relative to this file.
        exclude: Vec<ConfigString> = Listed::new(&["README.md"]),
        /// The opening of tool fences.
        fence: Vec<SettingChange> = FENCE,
        /// The severity of each code.
        lint: SeverityTable = LINT,
        /// The severities of codes, and the API, in some documents. If several match a document,
        /// the last one wins.
        overrides as override: Vec<OverrideLayer> =
            Table { kind: TableKind::List(OverrideLayer::KEYS, 1), read: KeyReader::overrides },
        /// Tool calls and results of your own in JSON logs, besides the known ones: each describes
        /// one kind of object.
        forms as dialect: Vec<Form> =
            Table { kind: TableKind::List(FormLayer::KEYS, 3), read: KeyReader::dialects },
        /// Tool calls and results of your own in Markdown, besides the known ones: each describes
        /// one form.
        texts as text: Vec<OwnText> =
            Table { kind: TableKind::List(TextLayer::KEYS, 2), read: KeyReader::texts },
        /// MCP servers by name, whose tools are known once `chatls tools pull` has asked them. None
        /// is started before you agree to exactly that.
        servers: Vec<(String, ServerLayer)> =
            Table { kind: TableKind::Named(ServerLayer::KEYS), read: KeyReader::servers },
        /// Programs that are tools, by the name of the tool. None is started before you agree to
        /// exactly that.
        programs as run: Vec<(String, ProgramLayer)> =
            Table { kind: TableKind::Named(ProgramLayer::KEYS), read: KeyReader::programs },
        /// The differences to accept when `chatls run --compare` compares recorded results with new
        /// results. The command's options add to them.
        compare: Vec<SettingChange> = COMPARE,
        /// The texts that `chatls redact` replaces besides secrets, home folders, user names and
        /// mail addresses, and the texts that it keeps.
        redact: Vec<SettingChange> = REDACT,
        /// The format of payloads.
        format: Vec<SettingChange> = FORMAT,
        /// The enabled inlay hints.
        hints: Vec<SettingChange> = HINTS,
        /// The enabled code lenses.
        lenses: Vec<SettingChange> = LENSES,
        /// The names of the speakers in `User:`, `**User:**`, `### User` and similar beginnings of
        /// a message, in any case. An empty list disables the role.
        turns: Vec<SettingChange> = TURNS,
    }
}

impl ConfigLayer {
    /// True if it has keys that are read in a `chatls.toml` only.
    pub fn has_keys_of_files(&self) -> bool {
        let has_changes = |changes: &Option<Vec<_>>| changes.iter().flatten().next().is_some();
        self.extends.is_some()
            || self.root.is_some()
            || self.servers.iter().flatten().next().is_some()
            || self.programs.iter().flatten().next().is_some()
            || has_changes(&self.compare)
            || has_changes(&self.redact)
    }

    /// The values that may differ by document, for all documents.
    pub fn document_values(&self) -> DocumentValues {
        DocumentValues::new(self.lint.as_ref(), self.api)
    }

    /// Changes `settings` by the keys of one setting each.
    pub fn change(&self, settings: &mut Settings) {
        settings.protocol = self.protocol.unwrap_or(settings.protocol);
        [&self.fence, &self.compare, &self.redact, &self.format, &self.hints, &self.lenses, &self.turns]
            .into_iter()
            .flatten()
            .flatten()
            .for_each(|change| change(settings));
    }
}

settings! {
    /// The keys of `fence`.
    FENCE {
        /// The first words of the info strings of tool fences.
        languages = Words::new(&[]).pattern("^\\S+$").dropping(check_language)
            => |it| &mut it.fence_languages,
    }
}

/// A table of severities by code.
const LINT: Table<SeverityTable> = Table { kind: TableKind::Severities, read: KeyReader::lint };

layer! {
    /// The keys of an `[[override]]`.
    OverrideLayer {
        /// The documents that it applies to, as globs relative to this file.
        files: Vec<ConfigString> = Listed::new(&["drafts/**"]),
        /// The severity of each code in them.
        lint: SeverityTable = LINT,
        /// The API whose rules hold for them.
        api: Option<ChatApi> = OneOf::new(&APIS),
    }
}

layer! {
    /// The keys of a `[[dialect]]`.
    FormLayer {
        /// The name of this kind of object.
        name: ConfigString = Text { expected: "a name", example: "acme-call" },
        /// The kind of such an object: a `call`, a `result`, or `both` in one.
        part: CallPart = OneOf::new(&PARTS).without_default(),
        /// The members that identify such an object, by path. The value is a type (`any`, `string`,
        /// `number`, `boolean`, `object`, `array`; `absent` for none), a list of strings, one of
        /// which the member must equal, or `true` or `false`.
        signature: Signature = Table { kind: TableKind::Signature, read: KeyReader::signature },
        /// True if such an object is a message of its own. The array of such objects is a
        /// conversation: ids pair calls with results within it.
        is_message as message: bool = Switch(false),
        /// The path of the id. Of several paths the first with a value counts. Results without an
        /// id belong to calls by their order.
        id: Paths = Listed::paths(&["callId"]),
        /// The path of the tool name.
        tool: Paths = Listed::paths(&["tool.name"]).read_by(KeyReader::one_path),
        /// The path of the input. Of several paths the first with a value counts.
        input: Paths = Listed::paths(&["tool.arguments"]),
        /// The path of the output. Of several paths the first with a value counts.
        output: Paths = Listed::paths(&["result"]),
        /// The path of the error: anything but `null` and `false`. `true` says that the output is
        /// the error.
        error: Paths = Listed::paths(&["error"]),
        /// The path of the state. If it is `false` or one of `failed`, the output is the error.
        state: Paths = Listed::paths(&["status"]),
        /// The states that mean a failure.
        failed: Vec<ConfigString> = Listed::new(&FAILED).pattern("^\\S"),
        /// The paths of strings that contain JSON: an input, or a string that all paths begin in.
        json: Paths = Listed::paths(&["tool.arguments"]),
    }
}

/// The beginning of a line of a form of text.
const fn label(example: &'static str) -> Text {
    Text { expected: "the beginning of a line", example }
}

layer! {
    /// The keys of a `[[text]]`.
    TextLayer {
        /// The name of this form.
        name: ConfigString = Text { expected: "a name", example: "acme-call" },
        /// Its first line, which begins with text. `{name}` is the tool, `{id}` the id, `{input}`
        /// the input, `{output}` the output, which goes on to the end of the paragraph, and `{any}`
        /// any text.
        first: ConfigString = Text { expected: "a line with `{name}`", example: "▶ Tool: {name}" },
        /// The kind of such a text: a `call`, with its result if it has an output, or a `result`,
        /// which belongs to the call before it.
        part: CallPart = OneOf::new(&TEXT_PARTS),
        /// The beginning of the line of the input: the text after it, or the code block below it.
        input: ConfigString = label("Input:"),
        /// The beginning of the line of the output.
        output: ConfigString = label("Output:"),
        /// The beginning of the line of the error.
        error: ConfigString = label("Error:"),
        /// The languages of the fenced code blocks that have this form. Then all text below the
        /// first line is the input, unless `input` is given.
        languages: Vec<ConfigString> =
            Listed::new(&["json"]).pattern("^\\S+$").dropping(check_language),
    }
}

/// The variables of a process.
const VARIABLES: Table<VariableTable> = Table { kind: TableKind::Variables, read: KeyReader::variables };

/// The path of a file, with an example.
const fn file(example: &'static str) -> Text {
    Text { expected: "the path of a file", example }
}

layer! {
    /// The keys of a `[servers.NAME]`.
    ServerLayer {
        /// The program that is the server, over its standard streams: a name in `PATH`, or a path
        /// relative to this file. A text is the program alone, a list begins with it.
        command: Vec<ConfigString> = Listed::new(&["npx"]).read_by(KeyReader::command),
        /// The arguments of the program, after those in `command`. `${env:NAME}` is the value of
        /// your variable `NAME`.
        arguments as args: Vec<ConfigString> =
            Listed::new(&["-y", "@modelcontextprotocol/server-everything"]),
        /// The variables of the program: the names of your variables that are passed on, or values
        /// by name. `${env:NAME}` in a value is the value of your variable `NAME`.
        variables as env: VariableTable = VARIABLES,
        /// The address of the server, if it is not a program (MCP: streamable HTTP).
        url: ConfigString = Text { expected: "an address", example: "http://127.0.0.1:3001/mcp" },
        /// The HTTP headers of requests to the address, by name. `${env:NAME}` is the value of your
        /// variable `NAME`.
        headers: VariableTable = Table { kind: TableKind::Headers, read: KeyReader::headers },
        /// The file with the tools of the server, relative to this file, which `chatls tools pull`
        /// writes. Without it, the tools are kept outside of the workspace.
        listing: ConfigString = file("tools/everything.json"),
    }
}

layer! {
    /// The keys of a `[run.NAME]`.
    ProgramLayer {
        /// The program and its arguments; a text is the program alone. It gets the input as JSON on
        /// stdin, and writes JSON or text to stdout.
        command: Vec<ConfigString> =
            Listed::new(&["./tools/search.py", "--json"]).read_by(KeyReader::command),
        /// The variables of the program, as in `servers`.
        variables as env: VariableTable = VARIABLES,
        /// The description of the tool.
        description: ConfigString = Text { expected: "a text", example: "Searches the documentation." },
        /// The file with the JSON Schema of the input, relative to this file.
        input: ConfigString = file("tools/search.schema.json"),
    }
}

settings! {
    /// The keys of `compare`.
    COMPARE {
        /// The values that may differ: JSONPaths, also as `TOOL:PATH`.
        ignore = Words::new(&["$..time", "search:$.took"]).reporting(|it| CompareRules::default().ignore(it))
            => |it| &mut Arc::make_mut(&mut it.compare).ignored,
        /// The values that only need to match: `PATH=TYPE` or `PATH=/REGEX/`, with a JSONPath.
        match = Words::new(&["$.id=/^[0-9a-f]{8}$/", "$.size=integer"])
            .reporting(|it| CompareRules::default().accept(it))
            => |it| &mut Arc::make_mut(&mut it.compare).accepted,
        /// Regular expressions for parts of texts that may differ.
        mask = Words::new(&["[0-9]+ ms"]).reporting(|it| CompareRules::default().mask(it))
            => |it| &mut Arc::make_mut(&mut it.compare).masks,
    }
}

settings! {
    /// The keys of `redact`.
    REDACT {
        /// Regular expressions for further texts to replace.
        patterns = Words::new(&["ACME-[0-9]+"]).reporting(|it| RedactSettings::pattern(it).map(drop))
            => |it| &mut Arc::make_mut(&mut it.redact).patterns,
        /// Names, addresses and matches of patterns that stay as they are.
        keep = Words::new(&["support@acme.com"]) => |it| &mut Arc::make_mut(&mut it.redact).keep,
    }
}

settings! {
    /// The keys of `format`.
    FORMAT {
        /// `pretty`: one line per member; `compact`: all on one line; `keep`: unchanged.
        payload = OneOf::<PayloadLayout>::new(&PAYLOADS) => |it| &mut it.format.payload,
        /// The number of spaces per level of a payload on several lines.
        indent = Spaces(MAX_INDENT) => |it| &mut it.format.indent,
    }
}

/// A setting that is on or off.
const FLAG: Switch = Switch(false);

settings! {
    /// The keys of `hints`.
    HINTS {
        /// The label of a batch of tool calls, at the end of its first line.
        batch = FLAG => |it| &mut it.hints.batch,
        /// The result of a call, or `⏳` while the call is pending.
        result = FLAG => |it| &mut it.hints.result,
        /// The id that a call without one gets.
        id = FLAG => |it| &mut it.hints.id,
    }
}

settings! {
    /// The keys of `lenses`.
    LENSES {
        /// The label of each batch of tool calls, and its conversion.
        batch = FLAG => |it| &mut it.lenses.batch,
        /// The completion of each pending call.
        pending = FLAG => |it| &mut it.lenses.pending,
        /// The run of each pending call that a server, a program or a preset of the configuration
        /// can run.
        run = FLAG => |it| &mut it.lenses.run,
    }
}

/// The names of a role.
const ROLE: Words = Words::new(&[]).pattern("^\\S").dropping(check_role);

settings! {
    /// The keys of `turns`.
    TURNS {
        /// The person.
        user = ROLE => |it| &mut it.turns.user,
        /// The model.
        assistant = ROLE => |it| &mut it.turns.assistant,
        /// The instructions to the model.
        system = ROLE => |it| &mut it.turns.system,
    }
}

/// The values that may differ by document.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentValues {
    pub lint: SeverityTable,
    pub api: Option<Option<ChatApi>>,
}

impl DocumentValues {
    /// The values of a layer, or of an `[[override]]`.
    pub fn new(lint: Option<&SeverityTable>, api: Option<Option<ChatApi>>) -> Self {
        Self { lint: lint.cloned().unwrap_or_default(), api }
    }

    /// Applies them over `settings`.
    pub fn apply(&self, settings: &mut Settings) {
        settings.lint.extend(&self.lint);
        settings.api = self.api.unwrap_or(settings.api);
    }
}

/// Values by name, each with its range.
pub(super) type VariableTable = Vec<(String, ConfigString)>;

/// Paths of members.
pub(super) type Paths = Vec<ConfigString>;

/// The members that identify an object, by path.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub span: Range<usize>,
    pub tests: Vec<(FormText, ValueTest)>,
}

/// Severities by code; `None` is `off`.
pub(super) type SeverityTable = BTreeMap<Code, Option<Severity>>;

/// A string and its range in the configuration.
#[derive(Clone, Debug)]
pub(super) struct ConfigString {
    pub text: String,
    pub span: Range<usize>,
}

impl ConfigString {
    /// The string that `node` is.
    pub fn of(node: &ConfigNode) -> Option<Self> {
        Some(Self { text: node.as_str()?.to_owned(), span: node.span.clone() })
    }
}

impl From<ConfigString> for String {
    fn from(string: ConfigString) -> Self {
        string.text
    }
}
