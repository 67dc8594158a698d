//! Tools that a text of JSON lists for its conversations: `tools`, `functions` or `toolConfig` in
//! an object around the calls, or, for calls of the same server, an `mcp_list_tools` item among the
//! first items of an array around them.
//!
//! The listed tools become the registry of these calls, before the tools of the configuration.
//! Lists are cached by their text, so edits elsewhere do not read them again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value as Any};
use smol_str::SmolStr;

use crate::call::fixed_hash;
use crate::config::Settings;
use crate::forms::{KnownKey, LIST_KEYS, Members};
use crate::registry::{Tool, read_source};

/// The name of the source of these tools, for texts.
const SOURCE: &str = "this file";
/// Maximum number of lists that are kept.
const MOST_LISTS: usize = 32;

/// The last used lists, with the settings of the calls that they apply to.
#[derive(Clone, Debug, Default)]
pub struct ToolLists {
    known: Vec<(u64, Option<Arc<Settings>>)>,
}

impl ToolLists {
    /// The settings of calls that the list `around` and the lists of `items` apply to; `None` if
    /// the lists contain no tool. `others` may already have these settings.
    pub fn settings(
        &mut self,
        around: Option<&str>,
        items: &[Cow<'_, str>],
        base: &Settings,
        others: &Self,
    ) -> Option<Arc<Settings>> {
        let hash = fixed_hash(&(around, items));
        if let Some(known) = self.find(hash).or_else(|| others.find(hash)) {
            return known.clone();
        }
        let around = around.and_then(|text| read_list(text, base, ListKind::Whole));
        let settings = items.iter().fold(around, |before, item| {
            read_list(item, before.as_deref().unwrap_or(base), ListKind::Part).or(before)
        });
        self.add(hash, settings.clone());
        settings
    }

    /// Adds the lists of `other`.
    pub fn extend(&mut self, other: Self) {
        for (hash, settings) in other.known {
            if self.find(hash).is_none() {
                self.add(hash, settings);
            }
        }
    }

    fn find(&self, hash: u64) -> Option<&Option<Arc<Settings>>> {
        self.known.iter().rev().find(|(known, _)| *known == hash).map(|(_, settings)| settings)
    }

    fn add(&mut self, hash: u64, settings: Option<Arc<Settings>>) {
        if self.known.len() >= MOST_LISTS {
            self.known.remove(0);
        }
        self.known.push((hash, settings));
    }
}

/// The number of elements of an array that may list tools for the other elements.
pub const MOST_ITEMS: usize = 8;

/// An item of OpenAI's Responses that lists the tools of a server: `{type: "mcp_list_tools",
/// server_label, tools: [{name, description, input_schema}]}`
/// (<https://platform.openai.com/docs/guides/tools-connectors-mcp>).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerItem {
    /// The offset of the list.
    pub list: usize,
    server: ServerLabel,
}

impl ServerItem {
    /// Reads an object with these members; `None` if it is no `mcp_list_tools` item. `preview`
    /// returns the text of a value, or its beginning.
    pub fn of_members<'t>(members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> Option<Self> {
        let server = ServerLabel::of_type("\"mcp_list_tools\"", members, preview)?;
        Some(Self { list: members.value_of("tools")?, server })
    }

    /// True if the tools are of the server that a call names, or if either names none.
    pub fn applies_to(&self, call: &ServerLabel) -> bool {
        let ServerLabel(own) = &self.server;
        own.as_ref().zip(call.0.as_ref()).is_none_or(|(own, other)| own == other)
    }
}

/// The member `server_label` of an item, as written, up to the length of a preview; `None` if it
/// has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerLabel(Option<String>);

impl ServerLabel {
    /// The label of an `mcp_call`; `None` for other objects.
    pub fn of_call<'t>(members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> Option<Self> {
        Self::of_type("\"mcp_call\"", members, preview)
    }

    fn of_type<'t>(wanted: &str, members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> Option<Self> {
        members.value_of("type").filter(|value| preview(*value).starts_with(wanted))?;
        let label = members.value_of("server_label").and_then(|value| {
            let text = preview(value);
            Some(text.strip_prefix('"')?.split('"').next()?.to_owned())
        });
        Some(Self(label))
    }
}

/// The offset of the value of the member that may list tools. A run of AG-UI lists only the tools
/// of its client (`RunAgentInput`, <https://docs.ag-ui.com/sdk/js/core/types>), and a session of
/// Hermes Agent the tools of its last run.
pub fn list_in(members: &Members) -> Option<usize> {
    let has = |key: &str| members.value_of(key).is_some();
    if has("runId") || has("session_id") && has("session_start") {
        return None;
    }
    LIST_KEYS.iter().find_map(|key| {
        let key = KnownKey::of(key.as_bytes())?;
        members.known.iter().rev().find(|member| member.key == key).map(|member| member.value)
    })
}

/// The part of a conversation's tools in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    /// All tools of a conversation.
    Whole,
    /// The tools of one server.
    Part,
}

/// The tools that a text of JSON lists for a conversation.
#[derive(Clone, Debug, Default)]
pub struct ToolList {
    /// The tools with a name, in order; names are unique.
    pub tools: Vec<Arc<Tool>>,
    /// Number of other items: tools that the server provides, and MCP servers.
    pub others: usize,
    /// Members that are not part of a [`Tool`], such as `strict` and `cache_control`, by tool name.
    pub options: BTreeMap<SmolStr, Vec<String>>,
}

impl ToolList {
    /// Reads the list `text`; empty if it is not a list of tools.
    pub fn read(text: &str) -> Self {
        let mut found = Self::default();
        let Some(mut list) = list_value(text) else { return found };
        found.options = options_of(&list);
        if let Any::Array(items) = &mut list {
            let all = items.iter().filter(|item| item.is_object()).count();
            items.retain(|item| !is_of_server(item));
            let source = read_source(&list.to_string(), SOURCE);
            found.others = all.saturating_sub(source.tools.len());
            found.add(source.tools);
        } else if list.is_object() {
            let source = read_source(&list.to_string(), SOURCE);
            if source.problems.is_empty() {
                found.add(source.tools);
            }
        }
        found
    }

    /// True if nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.others == 0
    }

    /// Adds the tools of `other`, which replace tools with the same names.
    pub fn extend(&mut self, other: Self) {
        self.others += other.others;
        self.options.extend(other.options);
        self.add(other.tools);
    }

    fn add(&mut self, tools: Vec<Arc<Tool>>) {
        for tool in tools {
            match self.tools.iter_mut().find(|known| known.name == tool.name) {
                Some(known) => *known = tool,
                None => self.tools.push(tool),
            }
        }
    }
}

/// True if an item is a tool that the server provides, which has a type of its own and no schema:
/// `{type: "web_search_20250305", name: "web_search"}`.
fn is_of_server(item: &Any) -> bool {
    let has_type = |kind: &Any| kind.as_str().is_some_and(|kind| kind != "function" && kind != "custom");
    let keys = ["function", "parameters", "input_schema", "inputSchema"];
    item.get("type").is_some_and(has_type) && keys.iter().all(|key| item.get(key).is_none())
}

/// The members of the tools in `list` that are no part of a [`Tool`], by their names.
fn options_of(list: &Any) -> BTreeMap<SmolStr, Vec<String>> {
    let of = |name: Option<&str>, objects: &[Option<&Map<String, Any>>]| {
        let members = objects.iter().flatten().flat_map(|object| object.iter());
        let is_option =
            |(key, value): &(&String, &Any)| !TOOL_KEYS.contains(&key.as_str()) && !is_default(value);
        let options: Vec<_> = members.filter(is_option).map(|(key, _)| key.clone()).collect();
        Some((SmolStr::new(name?), options)).filter(|(_, options)| !options.is_empty())
    };
    match list {
        Any::Array(items) => {
            let of_item = |item: &Any| {
                let inner = ["function", "toolSpec"].iter().find_map(|key| item.get(key)?.as_object());
                let name = inner.or(item.as_object())?.get("name")?.as_str();
                of(name, &[item.as_object(), inner])
            };
            items.iter().filter_map(of_item).collect()
        }
        Any::Object(named) => {
            named.iter().filter_map(|(name, tool)| of(Some(name), &[tool.as_object()])).collect()
        }
        _ => BTreeMap::new(),
    }
}

fn is_default(value: &Any) -> bool {
    matches!(value, Any::Null | Any::Bool(false))
}

/// The members of a listed tool that a [`Tool`] has, in all forms of lists.
const TOOL_KEYS: [&str; 11] = [
    "description",
    "function",
    "inputSchema",
    "input_schema",
    "name",
    "outputSchema",
    "output_schema",
    "parameters",
    "parametersJsonSchema",
    "toolSpec",
    "type",
];

/// The settings with the tools of the list `text`, if it has any.
fn read_list(text: &str, base: &Settings, kind: ListKind) -> Option<Arc<Settings>> {
    let list = list_value(text)?;
    let is_complete = match &list {
        Any::Array(items) => items.iter().all(is_nameable) && kind == ListKind::Whole,
        Any::Object(_) => true,
        _ => return None,
    };
    let source = read_source(&list.to_string(), SOURCE);
    if source.tools.is_empty() || (list.is_object() && !source.problems.is_empty()) {
        return None;
    }
    let mut registry = (*base.registry).clone();
    let is_configured = registry.configured;
    registry.add(&source);
    // An incomplete list does not make other tools unknown.
    registry.configured = is_configured || (is_complete && source.problems.is_empty());
    Some(Arc::new(Settings { registry: Arc::new(registry), ..base.clone() }))
}

/// The list `text` as the registry reads it: an array of tools, or an object with their names.
fn list_value(text: &str) -> Option<Any> {
    let mut list: Any = serde_json::from_str(text).ok()?;
    // LLaMA-Factory writes the list as a string of JSON.
    if let Any::String(inner) = &list {
        list = serde_json::from_str(inner).ok()?;
    }
    // Bedrock: the list of a `toolConfig`.
    if let Some(Any::Array(tools)) = list.get_mut("tools") {
        list = Any::Array(std::mem::take(tools));
    }
    if let Any::Array(items) = &mut list {
        items.retain(|item| item.get("cachePoint").is_none());
        *items = std::mem::take(items).into_iter().flat_map(declared_in).collect();
    }
    Some(list)
}

/// True if an item names its tool; MCP servers do not.
fn is_nameable(item: &Any) -> bool {
    ["/name", "/function/name", "/toolSpec/name"].iter().any(|path| item.pointer(path).is_some())
}

/// The functions of an item of Gemini's `tools`
/// (<https://ai.google.dev/api/caching#FunctionDeclaration>).
fn functions_of(item: &Any) -> Option<&Vec<Any>> {
    item.get("functionDeclarations").or_else(|| item.get("function_declarations"))?.as_array()
}

/// The tools of an item of a list.
fn declared_in(item: Any) -> Vec<Any> {
    match functions_of(&item) {
        Some(functions) => functions.iter().cloned().map(as_listed).collect(),
        None => vec![item],
    }
}

/// A function of Gemini in the form that others use: the types of its schema are in lower case.
fn as_listed(function: Any) -> Any {
    let Any::Object(mut function) = function else { return function };
    let schema = function.remove("parametersJsonSchema").or_else(|| function.remove("parameters"));
    let schema = schema.map(with_lower_types).unwrap_or_else(|| Any::Object(Map::new()));
    function.insert("parameters".to_owned(), schema);
    Any::Object(function)
}

/// `schema` with types such as `STRING` in lower case, to the depth that schemas have.
fn with_lower_types(mut schema: Any) -> Any {
    let mut open = vec![&mut schema];
    while let Some(value) = open.pop() {
        match value {
            Any::Object(members) => {
                for (key, value) in members.iter_mut() {
                    match value {
                        Any::String(name) if key == "type" => *name = name.to_ascii_lowercase(),
                        other => open.push(other),
                    }
                }
            }
            Any::Array(items) => open.extend(items.iter_mut()),
            _ => {}
        }
    }
    schema
}
