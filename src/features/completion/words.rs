//! What completions say of themselves: a few words at once, and a page when somebody looks at one.

use super::Subject;
use crate::call::cut;
use crate::config::Settings;
use crate::guide;
use crate::prose::Prose;
use crate::registry::Tool;

/// The most characters of a detail.
const DETAIL: usize = 80;

/// What there is to say of `subject`; nothing where it is not known.
pub fn describe(settings: &Settings, subject: &Subject) -> Prose {
    match subject {
        Subject::Tool(name) if settings.registry.tools.contains_key(&**name) => guide::tool(settings, name),
        Subject::Tool(_) => Prose::default(),
        Subject::Value { tool, is_output, path } => {
            let tool = settings.registry.tools.get(&**tool);
            let (schema, what) = match is_output {
                true => (tool.and_then(|tool| tool.output_schema.as_ref()), "member"),
                false => (tool.and_then(|tool| tool.input_schema.as_ref()), "parameter"),
            };
            schema.map(|schema| guide::value(schema, path, what)).unwrap_or_default()
        }
        Subject::State(name) => guide::state(settings, name).unwrap_or_default(),
        Subject::Record(name) => guide::record(name).unwrap_or_default(),
    }
}

/// The first line of what a tool does.
pub(super) fn detail_of_tool(tool: &Tool) -> String {
    let line = tool.description.as_deref().and_then(|text| text.trim().lines().next());
    cut(line.unwrap_or_default(), DETAIL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Registry, read_source};
    use crate::schema::Step;

    fn settings() -> Settings {
        let text = r#"[{"name": "read", "description": "Reads.", "inputSchema": {"properties": {
            "n": {"type": "integer", "default": 3}}}, "outputSchema": {"properties": {"m": {"description": "M."}}}}]"#;
        let mut registry = Registry::default();
        registry.add(&read_source(text, "tools.json"));
        Settings { registry: registry.into(), ..Settings::default() }
    }

    #[test]
    fn subjects_are_described() {
        let check = |subject: Subject, expected: &str| {
            let page = describe(&settings(), &subject).to_plain();
            assert_eq!(page.split("\n\n").next(), Some(expected), "{subject:?}");
        };
        check(Subject::Tool("read".to_owned()), "read – a tool, from `tools.json`");
        check(Subject::Tool("write".to_owned()), "");
        let value = |key: &str, is_output| {
            let path = vec![Step::Key(key.to_owned())];
            Subject::Value { tool: "read".to_owned(), is_output, path }
        };
        check(value("n", false), "n – `integer`");
        check(value("m", true), "m – a member");
        check(value("other", false), "");
        check(Subject::State("output-error".to_owned()), "output-error – a state");
        check(Subject::Record("tool-call".to_owned()), "tool-call – a type of records");
    }
}
