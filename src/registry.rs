//! The known tools: read from files in any of the common forms, or shipped as presets.
//!
//! A source is text in, tools and diagnostics out ([`read_source`]); reading files is left to the
//! caller. JSON Schemas are user data, stored as `serde_json::Value`, and compiled once, with the
//! tool.

pub mod fixes;
pub mod locate;
pub mod write;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use smol_str::SmolStr;

use crate::schema::{CompiledSchema, Schema};

pub(crate) mod comments;
mod declarations;
mod forms;
mod presets;
mod source;

pub use declarations::{ToolDeclaration, declarations};
pub use presets::{preset, preset_names};
pub use source::{RegistryDiagnostic, SourceContents, read_source};

/// The tools of one configuration; later sources replace earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// True if any source was specified: without one, no tool is reported as unknown.
    pub configured: bool,
    /// The tools by name.
    pub tools: BTreeMap<SmolStr, Arc<Tool>>,
    /// The files of sources that are files, by their names in the configuration.
    pub files: BTreeMap<String, PathBuf>,
    /// The sources that could not be read, by their names in the configuration: while there are
    /// some, an unknown tool may be in one of them.
    pub broken: Vec<String>,
    /// The servers that have not been asked for their tools: an unknown tool may be one of theirs.
    pub unasked: Vec<String>,
    /// The names of the servers that list a tool, by the tool's name; several if they list tools of
    /// the same name.
    pub servers: BTreeMap<SmolStr, Vec<String>>,
}

/// True if both come from the same reading of the same sources: two equal tools may list their
/// parameters in different orders.
impl PartialEq for Registry {
    fn eq(&self, other: &Self) -> bool {
        let Self { configured, tools, files, broken, unasked, servers } = self;
        (configured, files, broken, unasked, servers)
            == (&other.configured, &other.files, &other.broken, &other.unasked, &other.servers)
            && tools.len() == other.tools.len()
            && tools
                .iter()
                .zip(&other.tools)
                .all(|((name, tool), (other_name, other))| name == other_name && Arc::ptr_eq(tool, other))
    }
}

/// A tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tool {
    /// The name, as in calls.
    pub name: SmolStr,
    /// The description, if its source has one.
    pub description: Option<String>,
    /// The source, by its name in the configuration: a path, `preset:NAME`, `mcp:SERVER` or
    /// `run:NAME`.
    pub source: String,
    /// The JSON Schema of the input, if its source has one.
    pub input_schema: Option<Value>,
    /// The JSON Schema of the output, if its source has one.
    pub output_schema: Option<Value>,
    /// `input_schema`, compiled. Accepts everything if the schema is invalid.
    pub input_compiled: CompiledSchema,
    /// `output_schema`, compiled. Accepts everything if the schema is invalid.
    pub output_compiled: CompiledSchema,
}

impl Tool {
    /// The compiled schema of the input, if there is one.
    pub fn input(&self) -> Option<Schema<'_>> {
        Schema::new(self.input_schema.as_ref()?, &self.input_compiled)
    }

    /// The compiled schema of the output, if there is one.
    pub fn output(&self) -> Option<Schema<'_>> {
        Schema::new(self.output_schema.as_ref()?, &self.output_compiled)
    }
}

impl Registry {
    /// The tool with this name, if it is known.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name).map(AsRef::as_ref)
    }

    /// True if a call of `tool` is valid.
    pub fn knows(&self, tool: &str) -> bool {
        !self.configured || self.tools.contains_key(tool)
    }

    /// Adds the tools of another source, replacing tools of the same name.
    pub fn add(&mut self, source: &SourceContents) {
        self.configured = true;
        self.tools.extend(source.tools.iter().map(|tool| (tool.name.clone(), Arc::clone(tool))));
    }

    /// Adds the tools of the server `name`, which do not make the list of tools complete.
    pub fn add_server(&mut self, name: &str, source: &SourceContents) {
        for tool in &source.tools {
            self.add_server_tool(name, Arc::clone(tool));
        }
    }

    /// Adds a tool of the server `name`.
    pub fn add_server_tool(&mut self, name: &str, tool: Arc<Tool>) {
        let servers = self.servers.entry(tool.name.clone()).or_default();
        if !servers.iter().any(|known| known == name) {
            servers.push(name.to_owned());
        }
        self.tools.insert(tool.name.clone(), tool);
    }

    /// Spelling suggestions for `name`: at most three tools, nearest first.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        crate::nearest::nearest(name, self.tools.keys().map(SmolStr::as_str))
    }
}
