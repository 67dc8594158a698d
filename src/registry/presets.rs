//! The shipped registries, named `preset:NAME` in configurations.
//!
//! They are ordinary sources, read like the user's. Their schemas are open: further properties are
//! allowed.

const PRESETS: [(&str, &str); 2] = [
    ("file-tools", include_str!("presets/file-tools.json")),
    ("chartsmith", include_str!("presets/chartsmith.json")),
];

/// The text of the preset `name`.
pub fn preset(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of all presets.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::registry::{Tool, read_source};

    fn tools(name: &str) -> Vec<std::sync::Arc<Tool>> {
        let source = read_source(preset(name).unwrap(), name);
        assert_eq!(source.problems, []);
        source.tools
    }

    fn signature(tool: &Tool) -> String {
        let schema = tool.input_schema.as_ref().unwrap();
        assert_ne!(schema["additionalProperties"], Value::Bool(false), "{}: presets are open", tool.name);
        let required: Vec<_> = schema["required"].as_array().unwrap().iter().collect();
        let properties = schema["properties"].as_object().unwrap();
        let parameters: Vec<_> = properties
            .keys()
            .map(|key| {
                let optional = if required.iter().any(|name| *name == key) { "" } else { "?" };
                format!("{key}{optional}")
            })
            .collect();
        format!("{}({})", tool.name, parameters.join(", "))
    }

    #[test]
    fn file_tools_are_the_six() {
        let signatures: Vec<_> = tools("file-tools").iter().map(|tool| signature(tool)).collect();
        assert_eq!(
            signatures,
            [
                "read_file(path, includeLineNumbers?)",
                "write_file(path, content)",
                "edit_file(filePath, searchReplaceBlock)",
                "delete_file(path)",
                "add_package(name, version?, isDev?)",
                "remove_package(name, isDev?)",
            ]
        );
    }

    #[test]
    fn chartsmith_has_its_editor_under_three_names() {
        let tools = tools("chartsmith");
        let signatures: Vec<_> = tools.iter().map(|tool| signature(tool)).collect();
        assert_eq!(
            signatures,
            [
                "latest_subchart_version(chart_name)",
                "latest_kubernetes_version(semver_field)",
                "text_editor(command, path, view_range?, old_str?, new_str?, content?, file_text?)",
                "text_editor_20241022(command, path, view_range?, old_str?, new_str?, content?, file_text?)",
                "text_editor_20250124(command, path, view_range?, old_str?, new_str?, content?, file_text?)",
            ]
        );
        let schemas: Vec<_> = tools[2..].iter().map(|tool| tool.input_schema.clone()).collect();
        assert!(schemas.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn every_tool_has_a_description() {
        for name in preset_names() {
            assert!(tools(name).iter().all(|tool| tool.description.is_some()));
        }
    }
}
