//! Signature help: the parameters of the tool whose input or arguments are being typed, and the
//! active one.
//!
//! Between two parameters, the active one is the first that is missing.

use std::ops::Range;

use crate::call::shape::FieldRole;
use crate::dialect::arguments::{self, ArgumentContext};
use crate::dialect::draft::{Display, Draft, DraftObject, ElementCall, ElementPlace};
use crate::document::Document;
use crate::guide;
use crate::json::{self, Value};
use crate::places::block_position::BlockPosition;
use crate::prose::RichText;
use crate::registry::Tool;
use crate::schema::{Parameter, parameters};
use crate::text::Span;

/// The trigger characters: the beginnings of arguments and of an object, and the separator.
pub const TRIGGERS: [char; 3] = ['(', '{', ','];
/// The characters that update signature help while it is shown.
pub const RETRIGGERS: [char; 4] = ['=', ':', '"', '}'];

/// The signature of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSignature {
    /// The label, such as `read(path: string, limit?: integer)`.
    pub label: String,
    /// The description of the tool.
    pub description: RichText,
    /// The parameters: the range of each in the label, in bytes, and its description.
    pub parameters: Vec<(Range<usize>, RichText)>,
    /// The index of the active parameter; `None` if all are present.
    pub active: Option<usize>,
}

/// The signature of the tool whose parameters are being typed at the byte `at` of `document`.
pub fn signature_help(document: &Document, at: usize) -> Option<ToolSignature> {
    if !document.is_active() {
        return None;
    }
    document.block_positions_at(at, &mut |position| match position.draft()? {
        Draft::Display(display) => in_display(position, &display),
        Draft::Object(object) => in_object(position, &object),
        Draft::Element(call) => in_element(position, &call),
        Draft::Name { .. } => None,
    })
}

fn in_display(position: &BlockPosition<'_>, display: &Display) -> Option<ToolSignature> {
    let call = display.call.of(position.source.text);
    let at = position.offset.checked_sub(display.call.start as usize)?;
    // At a value that is not an argument, the tool is still known.
    let (name, place, keys) = arguments::at(call, at)?;
    let current = match place {
        ArgumentContext::Name { .. } => return None,
        ArgumentContext::Key { span, .. } | ArgumentContext::Value { key: span, .. } => span,
    };
    let current = Some(current.of(call).to_owned()).filter(|name| !name.is_empty());
    let present: Vec<_> = keys.iter().map(|key| key.of(call).to_owned()).collect();
    Some(signature(position.source.settings.registry.tool(name)?, current.as_deref(), &present))
}

fn in_element(position: &BlockPosition<'_>, call: &ElementCall) -> Option<ToolSignature> {
    let name = |span: &Span| span.of(position.source.text).to_owned();
    let current = match call.place {
        ElementPlace::Name { span, .. } => name(&span).rsplit(['<', '=', '"']).next().map(str::to_owned),
        ElementPlace::Value { key, .. } => Some(name(&key)),
    };
    let current = current.filter(|name| !name.is_empty());
    let present: Vec<_> = call.written.iter().map(name).collect();
    let tool = position.source.settings.registry.tool(call.tool.of(position.source.text))?;
    Some(signature(tool, current.as_deref(), &present))
}

fn in_object(position: &BlockPosition<'_>, object: &DraftObject) -> Option<ToolSignature> {
    let text = object.span.of(position.source.text);
    let at = position.offset.checked_sub(object.span.start as usize)?;
    let form = object.form.and_then(|form| object.forms.get(form))?;
    let json = json::parse(text);
    let root = json.root(text).filter(|root| root.is_object())?;
    let input = root.get(form.shape.of_role(FieldRole::Input)?.key).filter(|input| is_in(*input, at))?;
    let name = root.get(form.shape.of_role(FieldRole::Name)?.key)?.as_str()?;
    let key_of = |key: Value<'_>| key.as_str().map(|key| key.into_owned()).filter(|key| !key.is_empty());
    let current = input.entries_at(at).first().and_then(|entry| key_of(entry.key?));
    let present: Vec<_> = input.entries().filter_map(|(key, _)| key_of(key)).collect();
    Some(signature(position.source.settings.registry.tool(&name)?, current.as_deref(), &present))
}

/// True if `at` is between the braces of `object`.
fn is_in(object: Value<'_>, at: usize) -> bool {
    let span = object.span();
    let is_before_end = if object.is_closed() { at < span.end as usize } else { at <= span.end as usize };
    object.is_object() && (span.start as usize) < at && is_before_end
}

/// The signature of `tool`; the parameters `present` are already written. `current` is the current
/// one, or the part of its name so far.
fn signature(tool: &Tool, current: Option<&str>, present: &[String]) -> ToolSignature {
    let known = tool.input_schema.as_ref().map(|schema| parameters(schema, &[])).unwrap_or_default();
    let mut label = format!("{}(", tool.name);
    let mut shown = Vec::new();
    for (index, parameter) in known.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let optional = if parameter.is_required { "" } else { "?" };
        let words = parameter.about.type_words();
        let colon = if words.is_empty() { "" } else { ": " };
        label.push_str(comma);
        let start = label.len();
        label.push_str(&format!("{}{optional}{colon}{words}", parameter.name));
        shown.push((start..label.len(), guide::value_description(&parameter.about)));
    }
    label.push(')');
    let description = RichText::default().text(tool.description.as_deref().unwrap_or_default().trim());
    ToolSignature { label, description, parameters: shown, active: active(&known, current, present) }
}

/// The index of the current parameter, by name or prefix, or of the first missing one.
fn active(known: &[Parameter<'_>], current: Option<&str>, present: &[String]) -> Option<usize> {
    let is_missing = |parameter: &Parameter<'_>| !present.iter().any(|name| name == parameter.name);
    match current {
        Some(current) => {
            let named = known.iter().position(|it| it.name == current);
            named.or_else(|| known.iter().position(|it| is_missing(it) && it.name.starts_with(current)))
        }
        None => known.iter().position(is_missing),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::registry::{Registry, read_source};
    use crate::text::Text;

    const TOOLS: &str = r#"[
        {"name": "now", "description": " Tells the time. "},
        {"name": "read", "inputSchema": {"type": "object", "properties": {
            "limit": {"type": "integer", "default": 100},
            "path": {"type": "string", "description": "Which one."},
            "mode": {"enum": ["text", "binary"]},
            "any": {}}, "required": ["path"]}}
    ]"#;

    fn help(marked: &str) -> Option<ToolSignature> {
        let at = marked.find('|').expect("a position");
        let mut registry = Registry::default();
        registry.add(&read_source(TOOLS, "tools.json"));
        let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
        let language = if marked.starts_with('{') { Language::Log } else { Language::Markdown };
        let text = Text::new(&marked.replacen('|', "", 1));
        signature_help(&Document::new(text, language, Arc::new(settings)), at)
    }

    /// Compares the active parameter at `|` of `marked`: `-` for no active parameter, `nothing` for
    /// no signature.
    #[track_caller]
    fn check(marked: &str, expected: &str) {
        for marked in [marked.to_owned(), marked.replace('\n', "\r\n")] {
            let found = help(&marked).map(|signature| {
                let active = signature.active.and_then(|active| signature.parameters.get(active));
                active.map_or("-".to_owned(), |(range, _)| signature.label[range.clone()].to_owned())
            });
            assert_eq!(found.as_deref().unwrap_or("nothing"), expected, "{marked}");
        }
    }

    #[test]
    fn signature_has_all_parameters() {
        let signature = help("<tool>read(|").expect("a signature");
        assert_eq!(
            signature.label,
            "read(path: string, limit?: integer, mode?: \"text\" | \"binary\", any?)"
        );
        let pages: Vec<_> = signature.parameters.iter().map(|(_, page)| page.to_plain()).collect();
        assert_eq!(pages, ["Which one.", "Default: `100`.", "One of: `text`, `binary`.", ""]);
        let signature = help("<tool>now(|)</tool>").expect("a signature");
        assert_eq!((signature.label.as_str(), signature.active), ("now()", None));
        assert_eq!(signature.description.to_plain(), "Tells the time.");
    }

    #[test]
    fn in_arguments() {
        check("<tool>read(|)</tool>", "path: string");
        check("<tool>read(path=|a b)</tool>", "path: string");
        check("> <tool>read(path=é😀, |", "limit?: integer");
        check("<tool>read(path=a, mo|)</tool>", "mode?: \"text\" | \"binary\"");
        check("<tool>read(path=a, other=|)</tool>", "-");
        check("🔧 **Tool Call:** `read(any=[1, |])`", "any?");
        check("<tool>re|ad(path=a)</tool>", "nothing");
        check("<tool>read(path=a)|</tool>", "nothing");
        check("<tool>read(path=a)\n|</tool>", "nothing");
        check("<tool>unknown(|)</tool>", "nothing");
        check("a (|", "nothing");
    }

    #[test]
    fn in_elements() {
        let check = |marked: &str, expected: &str| {
            self::check(&format!("**Assistant:**\n\n<invoke name=\"read\">\n{marked}"), expected);
        };
        check("<parameter name=\"|", "path: string");
        check(
            "<parameter name=\"path\">é😀</parameter>\n<parameter name=\"mode\">|",
            "mode?: \"text\" | \"binary\"",
        );
        check("<parameter name=\"path\">a</parameter>\n|</invoke>\n", "limit?: integer");
        check("<parameter name=\"path\">a</parameter>\n</invoke>|\n", "nothing");
    }

    #[test]
    fn in_inputs() {
        check("```tool\n{\"toolName\": \"read\", \"input\": {|}}\n```\n", "path: string");
        check("> ```tool\n> {\"toolName\": \"read\", \"input\": {\"path\": \"é😀\", |\n", "limit?: integer");
        check(
            "- ###:{\"toolName\": \"read\", \"parameters\": {\"mode\": \"|\"}}",
            "mode?: \"text\" | \"binary\"",
        );
        check("###:{\"toolName\": \"read\", \"parameters\": {\"any\": {\"x\": [|", "any?");
        check("###:{\"toolName\": \"read\", \"parameters\": {\"li|", "limit?: integer");
        check("{\"type\":\"tool-call\",\"toolName\":\"read\",\"input\":{|", "path: string");
        check("{\"type\":\"tool-call\",\"toolName\":\"read\",|\"input\":{}}", "nothing");
        check("```tool\n{\"toolName\": \"read\", \"input\": |{}}\n```\n", "nothing");
        check("```tool\n{\"toolName\": \"read\", \"input\": {}|}\n```\n", "nothing");
        check("```tool\n{\"toolName\": \"read\", \"output\": {|}}\n```\n", "nothing");
        check("```tool\n{\"input\": {|}}\n```\n", "nothing");
    }

    #[test]
    fn in_message_logs() {
        let call =
            |arguments: &str| format!(r#"{{"function": {{"name": "read", "arguments": {arguments}}}}}"#);
        check(&call(r#""{|}""#), "path: string");
        check(&call(r#""{\"limit\": |1}""#), "limit?: integer");
        check(&call(r#"{"path": "x", "mode": "|"}"#), "mode?: \"text\" | \"binary\"");
        check(&call(r#""|{}""#), "nothing");
    }

    #[test]
    fn at_every_byte_of_truncated_documents() {
        let whole = "<tool>read(path=a, mode=text)</tool>\n\n```tool\n{\"toolName\": \"read\", \"input\": {\"path\": \"é😀\"}}\n```\n";
        let mut shown = 0;
        let boundaries = || (0..=whole.len()).filter(|at| whole.is_char_boundary(*at));
        for end in boundaries() {
            for at in boundaries().take_while(|at| *at <= end) {
                let marked = [&whole[..at], "|", &whole[at..end]].concat();
                let Some(signature) = help(&marked) else { continue };
                shown += 1;
                assert!(
                    signature.active.is_none_or(|active| active < signature.parameters.len()),
                    "{marked}"
                );
                let is_name = |(range, _): &(Range<usize>, _)| signature.label.get(range.clone()).is_some();
                assert!(signature.parameters.iter().all(is_name), "{marked}");
            }
        }
        assert!(shown > 1000, "{shown}");
    }
}
