//! Texts of completions: a short detail, and a page on request.

use crate::config::Settings;
use crate::features::completion::CompletionSubject;
use crate::guide;
use crate::prose::RichText;
use crate::registry::Tool;
use crate::text::cut;

/// Maximum number of characters of a detail.
const DETAIL: usize = 80;

/// The documentation of `subject`; empty if unknown.
pub fn describe(settings: &Settings, subject: &CompletionSubject) -> RichText {
    match subject {
        CompletionSubject::Tool { name } if settings.registry.tools.contains_key(&**name) => {
            guide::tool(settings, name)
        }
        CompletionSubject::Tool { .. } => RichText::default(),
        CompletionSubject::Value { tool, is_output, path } => {
            let tool = settings.registry.tool(tool);
            tool.map(|tool| guide::value(tool, *is_output, path)).unwrap_or_default()
        }
        CompletionSubject::State { name } => guide::state(settings, name).unwrap_or_default(),
        CompletionSubject::Record { name } => guide::record(name).unwrap_or_default(),
    }
}

/// The first line of a tool's description.
pub(super) fn detail_of_tool(tool: &Tool) -> String {
    let line = tool.description.as_deref().and_then(|text| text.trim().lines().next());
    cut(line.unwrap_or_default(), DETAIL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Registry, read_source};
    use crate::schema::ValueStep;

    fn settings() -> Settings {
        let text = r#"[{"name": "read", "description": "Reads.", "inputSchema": {"properties": {
            "n": {"type": "integer", "default": 3}}}, "outputSchema": {"properties": {"m": {"description": "M."}}}}]"#;
        let mut registry = Registry::default();
        registry.add(&read_source(text, "tools.json"));
        Settings { registry: registry.into(), ..Settings::default() }
    }

    #[test]
    fn subjects_are_described() {
        let check = |subject: CompletionSubject, expected: &str| {
            let page = describe(&settings(), &subject).to_plain();
            assert_eq!(page.split("\n\n").next(), Some(expected), "{subject:?}");
        };
        check(CompletionSubject::Tool { name: "read".to_owned() }, "read – a tool, from `tools.json`");
        check(CompletionSubject::Tool { name: "write".to_owned() }, "");
        let value = |key: &str, is_output| {
            let path = vec![ValueStep::Key(key.to_owned())];
            CompletionSubject::Value { tool: "read".to_owned(), is_output, path }
        };
        check(value("n", false), "n – `integer`");
        check(value("m", true), "m – a member");
        check(value("other", false), "");
        check(CompletionSubject::State { name: "output-error".to_owned() }, "output-error – a state");
        check(CompletionSubject::Record { name: "tool-call".to_owned() }, "tool-call – a type of records");
    }
}
