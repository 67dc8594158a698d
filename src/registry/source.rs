//! Reads one registry: finds the tools in any wrapper, and reads each by its form.
//!
//! An error in one tool does not affect the others.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value};
use smol_str::SmolStr;

use super::forms::{self, ListedTool, ListedToolError};
use super::{Tool, comments};
use crate::registry::fixes;
use crate::registry::fixes::{RegistryRepair, RegistryRepairer};
use crate::registry::locate::{JsonLocator, syntax_error};
use crate::schema::{self, CompiledSchema, SchemaError, ValueStep};
use crate::trial::{FileFix, FileWithFixes, retain_working_fixes};

/// The contents of one source.
#[derive(Clone, Debug, Default)]
pub struct SourceContents {
    /// The tools, in order; of two tools with one name the later counts, as between sources.
    pub tools: Vec<Arc<Tool>>,
    /// The diagnostics.
    pub problems: Vec<RegistryDiagnostic>,
    /// True if it has no readable tool, because it is not JSON or of no known form.
    pub broken: bool,
}

/// A diagnostic in a registry's text; its code is `registry`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryDiagnostic {
    /// The message for users: the error and its remedy.
    pub message: String,
    /// The range in the text of the source, in bytes.
    pub range: Range<usize>,
    /// The fixes, best first, in bytes of the text; each is tested on a copy, as in documents.
    /// Edits are in text order and do not overlap.
    pub fixes: Vec<FileFix>,
}

impl FileWithFixes for RegistryDiagnostic {
    fn fixes(&mut self) -> &mut Vec<FileFix> {
        &mut self.fixes
    }

    fn is_same(&self, other: &Self) -> bool {
        self.message == other.message
    }
}

/// Reads the registry `text`; `name` is its name in the configuration.
pub fn read_source(text: &str, name: &str) -> SourceContents {
    let json = text.strip_prefix('\u{feff}').unwrap_or(text);
    let base = text.len() - json.len();
    let mut source = read_commented(json, name);
    if source.problems.iter().any(|problem| !problem.fixes.is_empty()) {
        retain_working_fixes(json, &mut source.problems, |mended| read_commented(mended, name).problems);
    }
    let shift = |range: &mut Range<usize>| *range = range.start + base..range.end + base;
    for problem in &mut source.problems {
        shift(&mut problem.range);
        let edits = problem.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|(range, _)| shift(range));
    }
    source
}

/// Reads JSON with or without comments; fixes are not tested yet.
fn read_commented(json: &str, name: &str) -> SourceContents {
    let source = read_json(json, name);
    // JSON with comments is rare, so plain JSON is tried first.
    match source.broken.then(|| comments::blanked(json)).flatten() {
        Some(blanked) => read_json(&blanked, name),
        None => source,
    }
}

fn read_json(text: &str, name: &str) -> SourceContents {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => read_value(text, &value, name),
        Err(error) => {
            let (range, message) = syntax_error(text, &error);
            let fixes = fixes::syntax(text).into_iter().collect();
            broken(range, format!("this registry is not JSON: {message}"), fixes)
        }
    }
}

/// A source without a readable tool.
fn broken(range: Range<usize>, message: String, fixes: Vec<FileFix>) -> SourceContents {
    SourceContents {
        tools: Vec::new(),
        problems: vec![RegistryDiagnostic { message, range, fixes }],
        broken: true,
    }
}

fn read_value(text: &str, value: &Value, name: &str) -> SourceContents {
    let mut path = Vec::new();
    let mut source = SourceContents::default();
    let mut places = None;
    let mut repairer = RegistryRepairer::new(text);
    let mut report = |path: &[ValueStep], fault: ListedToolError| {
        let places = places.get_or_insert_with(|| JsonLocator::new(text));
        let path: Vec<_> = path.iter().chain(&fault.path).cloned().collect();
        let range = places.locate(&path);
        let fixes = repairer.fixes(&fault.repair, &path, &range);
        source.problems.push(RegistryDiagnostic { message: fault.message, range, fixes });
    };
    let mut tools = Vec::new();
    let actual = each_entry(value, &mut path, &mut |path, entry| match entry {
        Ok(entry) => read_entry(entry, path, name, &mut tools, &mut report),
        Err(fault) => report(path, fault),
    });
    if let Err(message) = actual {
        return broken(JsonLocator::new(text).locate(&path), message, Vec::new());
    }
    source.tools = tools;
    source
}

/// Takes the path of a tool, and the tool or the error in its place.
type VisitEntry<'v> = dyn FnMut(&[ValueStep], Result<ListedTool, ListedToolError>) + 'v;

/// Passes each tool in `value` to `visit` with its path, and each error in the place of a tool.
///
/// # Errors
///
/// The message if there are no tools; `path` then leads to the error.
pub(super) fn each_entry(
    value: &Value,
    path: &mut Vec<ValueStep>,
    visit: &mut VisitEntry<'_>,
) -> Result<(), String> {
    match find_tools(value, path)? {
        ToolEntries::List(list) => {
            let tools = list.iter().enumerate().filter(|(_, value)| !forms::is_cache_point(value));
            for (index, value) in tools {
                path.push(ValueStep::Index(index));
                visit(path, forms::read_listed(value));
                path.pop();
            }
        }
        ToolEntries::Named(named) => {
            for (key, value) in named {
                path.push(ValueStep::Key(key.clone()));
                visit(path, forms::read_named(key, value));
                path.pop();
            }
        }
        ToolEntries::One(value) => visit(path, forms::read_listed(value)),
    }
    Ok(())
}

/// Adds `entry` to the tools of `source` if it has a name, and reports its errors.
fn read_entry(
    entry: ListedTool,
    path: &[ValueStep],
    source: &str,
    tools: &mut Vec<Arc<Tool>>,
    report: &mut impl FnMut(&[ValueStep], ListedToolError),
) {
    let mut entry = entry;
    std::mem::take(&mut entry.faults).into_iter().for_each(|fault| report(path, fault));
    let of_schema = |path: Vec<ValueStep>, fault: SchemaError| ListedToolError {
        path,
        message: fault.message,
        repair: RegistryRepair::Schema(fault.kind),
    };
    let input_compiled = compiled(entry.input_schema.as_ref(), |fault| {
        report(path, of_schema(entry.place_in_input(&fault.path), fault));
    });
    let output_compiled = compiled(entry.output_schema.as_ref(), |fault| {
        let below = entry.output_path.iter().chain(&fault.path).cloned().collect();
        report(path, of_schema(below, fault));
    });
    if !entry.name.is_empty() {
        tools.push(Arc::new(Tool {
            name: SmolStr::new(&entry.name),
            description: entry.description,
            source: source.to_owned(),
            input_schema: entry.input_schema,
            output_schema: entry.output_schema,
            input_compiled,
            output_compiled,
        }));
    }
}

/// Compiles a schema; an invalid one accepts everything.
fn compiled(schema: Option<&Value>, report: impl FnMut(SchemaError)) -> CompiledSchema {
    let compiled = schema.map_or_else(|| Ok(CompiledSchema::default()), schema::compile);
    compiled.unwrap_or_else(|faults| {
        faults.into_iter().for_each(report);
        CompiledSchema::default()
    })
}

enum ToolEntries<'a> {
    List(&'a [Value]),
    Named(&'a Map<String, Value>),
    One(&'a Value),
}

/// The tools in `value`, in any wrapper; `path` is set to them, or to the error.
fn find_tools<'a>(value: &'a Value, path: &mut Vec<ValueStep>) -> Result<ToolEntries<'a>, String> {
    let object = match value {
        Value::Array(list) => return Ok(ToolEntries::List(list)),
        Value::Object(object) => object,
        _ => return Err(unrecognized_form()),
    };
    // JSON-RPC 2.0: a response holds `result` or `error`, a request `params`.
    if object.get("jsonrpc").is_some_and(Value::is_string)
        && let Some(error) = object.get("error")
    {
        path.push(ValueStep::Key("error".to_owned()));
        let reason = error.get("message").and_then(Value::as_str).unwrap_or("no reason given");
        return Err(format!("this is an error response of a server, not a list of tools: {reason}"));
    }
    // A request to Bedrock; Gemini's requests have `tools` beside a `toolConfig`.
    let wrappers = if object.contains_key("tools") { &[][..] } else { &["toolConfig"] };
    for wrapper in ["result", "params"].iter().chain(wrappers).copied() {
        if let Some(inner @ (Value::Object(_) | Value::Array(_))) = object.get(wrapper)
            && !forms::is_named_tool(inner)
        {
            path.push(ValueStep::Key(wrapper.to_owned()));
            return find_tools(inner, path);
        }
    }
    for wrapper in ["tools", "toolClients", "functions"] {
        match object.get(wrapper) {
            Some(Value::Array(list)) => {
                path.push(ValueStep::Key(wrapper.to_owned()));
                return Ok(ToolEntries::List(list));
            }
            Some(inner @ Value::Object(named)) if !forms::is_named_tool(inner) => {
                path.push(ValueStep::Key(wrapper.to_owned()));
                return Ok(ToolEntries::Named(named));
            }
            _ => {}
        }
    }
    if object.values().any(forms::is_named_tool) || object.is_empty() {
        return Ok(ToolEntries::Named(object));
    }
    if forms::read_listed(value).is_ok_and(|entry| entry.faults.is_empty()) {
        return Ok(ToolEntries::One(value));
    }
    Err(unrecognized_form())
}

fn unrecognized_form() -> String {
    "this is not a tool registry in any known form: expected a list of tools (MCP, OpenAI, Anthropic or toolClients), \
     an object with such a list as `tools`, or an object of `name: {description, inputSchema}`"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tools of `text` as `name(properties)` with `!` after required ones and `-` without a
    /// schema.
    fn signatures(source: &SourceContents) -> String {
        let signature = |tool: &Arc<Tool>| {
            let Some(schema) = &tool.input_schema else {
                return format!("{}-", tool.name);
            };
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let none = Map::new();
            let keys: Vec<_> = schema["properties"]
                .as_object()
                .unwrap_or(&none)
                .keys()
                .map(|key| {
                    format!("{key}{}", if required.contains(&Value::from(key.as_str())) { "!" } else { "" })
                })
                .collect();
            format!("{}({})", tool.name, keys.join(", "))
        };
        source.tools.iter().map(signature).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn forms_are_detected_by_structure() {
        macro_rules! check {
            ($($file:literal $expected:literal)*) => {$(
                let text = include_str!(concat!("../../tests/data/registries/", $file));
                let source = read_source(text, $file);
                assert_eq!(source.problems, [], $file);
                assert!(!source.broken);
                assert_eq!(signatures(&source), $expected, $file);
            )*};
        }
        check! {
            "mcp.json" "search(q!) now()"
            "mcp-json-rpc.json" "search(q!)"
            "mcp-list-tools-item.json" "search(q)"
            "openai.json" "search(q) now-"
            "openai-request.json" "search(q)"
            "openai-responses.json" "search(q) web_search-"
            "openai-functions.json" "search(q)"
            "anthropic.json" "search(q) str_replace_editor-"
            "anthropic-request.json" "search(q) web_search-"
            "ai-sdk.json" "search(q) now- name()"
            "ai-sdk-v4.json" "search(q)"
            "tool-clients.json" "search(q!, n) now()"
            "bedrock-request.json" "search(q)"
            "one-tool.json" "search(q)"
        }
    }

    /// `marked` holds the registry with `«»` around the range of each diagnostic, in order.
    #[track_caller]
    fn check(marked: &str, tools: &str, messages: &[&str]) {
        let text = marked.replace(['«', '»'], "");
        let source = read_source(&text, "tools.json");
        let mut actual = text.clone();
        let mut ranges: Vec<_> = source.problems.iter().map(|problem| problem.range.clone()).collect();
        ranges.sort_by_key(|range| std::cmp::Reverse(range.start));
        for range in ranges {
            actual.insert(range.end, '»');
            actual.insert(range.start, '«');
        }
        assert_eq!(actual, marked, "{:?}", source.problems);
        assert_eq!(signatures(&source), tools);
        let reported: Vec<_> = source.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(reported.len(), messages.len(), "{reported:?}");
        for (reported, expected) in reported.iter().zip(messages) {
            assert!(reported.contains(expected), "{reported}");
        }
    }

    #[test]
    fn error_in_one_tool_does_not_affect_others() {
        check(
            r#"{"tools": [«{»"input_schema": {}}, {"name": «""», "input_schema": {}},
                {"name": «7», "inputSchema": {}}, «"x"», {"name": "good"}, «{»"type": "object"}]}"#,
            "good-",
            &[
                "has no `name`",
                "is empty",
                "must be a string; found a number",
                "found a string",
                "not a tool in",
            ],
        );
        check(
            r#"[{"name": "a", "inputSchema": «"x"»}, {"name": "b", "inputSchema": true}]"#,
            "a- b()",
            &["a JSON Schema is an object; found a string"],
        );
        check(
            r#"{"a": {"inputSchema": {}}, "b": «1», "": «{»"description": "c"}}"#,
            "a()",
            &["expected the tool `b`", "the name of this tool is empty"],
        );
        check(
            r#"[{"name": "a", "parameters": [
                {"name": "x", "type": «"string"», "schema": {"type": "number"}}, «{»"type": "string"},
                {"name": "y", "schema": «3»}]}]"#,
            "a(x, y)",
            &["`x` is `string` here and `number` in its `schema`", "no `name`", "found a number"],
        );
    }

    #[test]
    fn invalid_schema_is_reported_at_its_error() {
        check(
            r##"{"tools": [{"name": "a", "inputSchema": {"properties": {"x": {"type": «"strin"»}}}, "outputSchema": {"$ref": «"#/x"»}},
                {"name": "b", "inputSchema": {"properties": {"y": {"pattern": «"("»}}}}, {"name": "c", "inputSchema": {}}]}"##,
            "a(x) b(y) c()",
            &["`type` must be", "`#/x` is not in this schema", "`(` is not a regular expression"],
        );
        check(
            r##"[{"type": "function", "function": {"name": "a", "parameters": {"$ref": «"http://x.y/z"»}}},
                {"name": "b", "input_schema": {"required": «"x"»}}]"##,
            "a() b()",
            &["outside of this schema", "`required` must be an array"],
        );
        check(
            r#"{"a": {"inputSchema": {"jsonSchema": {"minimum": «"1"»}}}}"#,
            "a()",
            &["`minimum` must be a number, found a string"],
        );
        check(
            r#"[{"name": "a", "parameters": [{"name": "x", "type": «"text"»}, {"name": "y", "schema": {"type": «"text"»}},
                {"name": "z", "type": "string", "schema": {"minLength": «-1»}}]}]"#,
            "a(x, y, z)",
            &["`type` must be", "`type` must be", "`minLength` must be at least `0`"],
        );
        let source = read_source(
            r#"[{"name": "a", "inputSchema": {"type": 1}}, {"name": "b", "inputSchema": {}}]"#,
            "x",
        );
        assert!(!source.broken);
        assert_eq!(source.tools.iter().map(|tool| tool.input().is_some()).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn later_tool_of_equal_name_wins() {
        let source =
            read_source(r#"[{"name": "a", "description": "1"}, {"name": "a", "description": "2"}]"#, "x");
        let mut registry = crate::registry::Registry::default();
        registry.add(&source);
        assert_eq!(registry.tools["a"].description.as_deref(), Some("2"));
    }

    #[test]
    fn invalid_registry_is_broken() {
        for (marked, message) in [
            ("«»", "not JSON: EOF"),
            ("\u{feff}[1«,»", "not JSON"),
            ("«{»\"scripts\": {\"test\": \"x\"}}", "not a tool registry in any known form"),
            ("«{»\"mcpServers\": {\"x\": {\"command\": \"y\"}}}", "not a tool registry"),
            ("«3»", "not a tool registry"),
            (
                r#"{"jsonrpc": "2.0", "error": «{»"message": "Method not found"}}"#,
                "an error response of a server, not a list of tools: Method not found",
            ),
        ] {
            if !message.contains("not JSON") || marked == "«»" {
                check(marked, "", &[message]);
            }
            let text = marked.replace(['«', '»'], "");
            assert!(read_source(&text, "x").broken, "{text}");
        }
    }

    #[test]
    fn byte_order_mark_does_not_shift_ranges() {
        check("\u{feff}[«1», {\"name\": \"a\"}]", "a-", &["found a number"]);
    }

    #[test]
    fn comments_are_skipped() {
        check("// é\n[«1», /* b */ {\"name\": \"a//b\"}] // c", "a//b-", &["found a number"]);
        check("// a\n[1,«»", "", &["not JSON"]);
    }

    #[test]
    fn an_empty_list_is_a_registry() {
        for text in ["[]", "{}", r#"{"tools": []}"#, r#"{"tools": {}}"#] {
            check(text, "", &[]);
            assert!(!read_source(text, "x").broken);
        }
    }
}
