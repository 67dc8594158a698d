//! Rules on the tool that a call names: `unknown-tool`.

use crate::call::{Call, Field};
use crate::config::Settings;
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::{escaped, quote};
use crate::nearest::did_you_mean;

/// Checks the tool name of `call`, if it is not empty and a registry is configured.
pub fn check(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    if !call.checks_tool || !call.part.has_call() {
        return;
    }
    let is_sure = |name: &&Field<'_>| !name.text.is_empty() && call.is_complete(name);
    let Some(name) = call.name.as_ref().filter(is_sure) else { return };
    let registry = &settings.registry;
    // If no source could be read, no tools are known, and the registry has a diagnostic of its own.
    let is_blind = registry.tools.is_empty() && !(registry.broken.is_empty() && registry.unasked.is_empty());
    if is_blind || registry.knows(&name.text) {
        return;
    }
    let mut message = format!("there is no tool `{}`", crate::text::cut(&name.text, 60));
    let nearest = registry.nearest(&name.text);
    message.push_str(&did_you_mean(&nearest));
    if nearest.is_empty() && registry.broken.is_empty() && registry.unasked.is_empty() {
        message.push_str(": correct the name, or add the tool to a registry");
    }
    if !registry.broken.is_empty() {
        message.push_str(&format!(" ({} is invalid and may contain it)", registry.broken.join(", ")));
    }
    if !registry.unasked.is_empty() {
        let names = registry.unasked.join(" ");
        message.push_str(&format!(" (a server may have it: ask with `chatls tools pull {names}`)"));
    }
    let is_json = call.payload.is_some();
    let mut fixes: Vec<Fix> = nearest
        .into_iter()
        .filter(|near| is_json || is_plain(near))
        .map(|near| {
            let text = if is_json { as_written(near, name.span.of(call.content)) } else { near.to_owned() };
            Fix::replace(format!("Call `{near}`"), name.span, text).naming(near)
        })
        .collect();
    if let Some(first) = fixes.first_mut() {
        first.is_preferred = true;
    }
    diagnostics.push(CallDiagnostic::new(Code::UnknownTool, name.span, message).fixes(fixes));
}

/// Writes `name` like `written`: as a string, as a string inside a JSON string, or as a part of a
/// string.
fn as_written(name: &str, written: &str) -> String {
    match written.bytes().next() {
        Some(b'"') => quote(name),
        Some(b'\\') => escaped(&quote(name)),
        _ => escaped(name),
    }
}

/// True if every dialect with text blocks writes `name` unchanged.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':'))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::document::{Document, Language};
    use crate::registry::{Registry, Tool};
    use crate::text::Text;

    #[test]
    fn a_tool_may_be_in_a_registry_that_is_invalid() {
        let tools = [("read".into(), Arc::new(Tool { name: "read".into(), ..Tool::default() }))];
        let registry = Registry {
            configured: true,
            tools: tools.into_iter().collect(),
            broken: vec!["a.json".to_owned()],
            ..Registry::default()
        };
        let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
        let text = Text::new("```tool\n{\"toolName\": \"z\", \"input\": {}}\n```\n");
        let document = Document::new(text, Language::Markdown, Arc::new(settings));
        let messages: Vec<_> = document.diagnostics().into_iter().map(|it| it.message).collect();
        assert_eq!(messages, ["there is no tool `z` (a.json is invalid and may contain it)"]);
    }
}
