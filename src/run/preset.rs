//! The tools of the presets, which work inside of one folder that the user names.
//!
//! The folder is a capability (`cap-std`): no path leaves it, absolute ones, `..` and links
//! included. The tools start no program. Errors are messages for the model that made the call.

use serde_json::Value;

use crate::call::UseData;

mod chart_index;
mod chartsmith;
mod copy;
mod file_text;
mod file_tools;
mod folder;
mod manifest;

pub use chart_index::{ChartIndex, NO_CHARTS};
pub use copy::copy_folder;
pub use folder::ToolFolder;

/// A tool of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetTool {
    /// `read_file` of `preset:file-tools`.
    ReadFile,
    /// `write_file` of `preset:file-tools`.
    WriteFile,
    /// `edit_file` of `preset:file-tools`.
    EditFile,
    /// `delete_file` of `preset:file-tools`.
    DeleteFile,
    /// `add_package` of `preset:file-tools`.
    AddPackage,
    /// `remove_package` of `preset:file-tools`.
    RemovePackage,
    /// `latest_subchart_version` of `preset:chartsmith`.
    LatestSubchartVersion,
    /// `latest_kubernetes_version` of `preset:chartsmith`.
    LatestKubernetesVersion,
    /// `text_editor` of `preset:chartsmith`, also under the names of Anthropic's versions.
    TextEditor,
}

/// The tools by the source of their registry and their name.
const TOOLS: &[(&str, &str, PresetTool)] = &[
    ("preset:file-tools", "read_file", PresetTool::ReadFile),
    ("preset:file-tools", "write_file", PresetTool::WriteFile),
    ("preset:file-tools", "edit_file", PresetTool::EditFile),
    ("preset:file-tools", "delete_file", PresetTool::DeleteFile),
    ("preset:file-tools", "add_package", PresetTool::AddPackage),
    ("preset:file-tools", "remove_package", PresetTool::RemovePackage),
    ("preset:chartsmith", "latest_subchart_version", PresetTool::LatestSubchartVersion),
    ("preset:chartsmith", "latest_kubernetes_version", PresetTool::LatestKubernetesVersion),
    ("preset:chartsmith", "text_editor", PresetTool::TextEditor),
    ("preset:chartsmith", "text_editor_20241022", PresetTool::TextEditor),
    ("preset:chartsmith", "text_editor_20250124", PresetTool::TextEditor),
];

impl PresetTool {
    /// The tool `name` of the registry source `source`, such as `preset:file-tools`.
    pub fn find(source: &str, name: &str) -> Option<Self> {
        TOOLS.iter().find(|(preset, tool, _)| (*preset, *tool) == (source, name)).map(|(.., tool)| *tool)
    }

    /// True if a call with `input` changes no file.
    pub fn is_read_only(self, input: &Value) -> bool {
        match self {
            Self::ReadFile | Self::LatestSubchartVersion | Self::LatestKubernetesVersion => true,
            Self::TextEditor => input.get("command").and_then(Value::as_str) == Some("view"),
            _ => false,
        }
    }

    /// True if it works on files.
    pub fn needs_folder(self) -> bool {
        !matches!(self, Self::LatestSubchartVersion | Self::LatestKubernetesVersion)
    }

    /// Runs it with `input`, which must be valid by its schema. `folder` and `charts` are the
    /// user's choice; `None` if there is none.
    ///
    /// # Errors
    ///
    /// The message of the failed call.
    pub fn run(
        self,
        input: &Value,
        folder: Option<&ToolFolder>,
        charts: Option<&ChartIndex>,
    ) -> Result<UseData, String> {
        let here = || folder.ok_or_else(|| "no folder is named in which the tool may work".to_owned());
        let text = match self {
            Self::ReadFile => file_tools::read_file(here()?, input),
            Self::WriteFile => file_tools::write_file(here()?, input),
            Self::EditFile => file_tools::edit_file(here()?, input),
            Self::DeleteFile => file_tools::delete_file(here()?, input),
            Self::AddPackage => manifest::add_package(here()?, input),
            Self::RemovePackage => manifest::remove_package(here()?, input),
            Self::LatestSubchartVersion => {
                chartsmith::latest_subchart_version(charts.ok_or(NO_CHARTS)?, input)
            }
            Self::LatestKubernetesVersion => chartsmith::latest_kubernetes_version(input),
            Self::TextEditor => chartsmith::text_editor(here()?, input),
        };
        text.map(UseData::Text)
    }
}

/// The string `name` of `input`.
fn string<'v>(input: &'v Value, name: &str) -> Result<&'v str, String> {
    input.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` is missing"))
}

#[cfg(test)]
mod tests;
