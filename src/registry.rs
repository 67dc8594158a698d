//! The tools that are known: read from files of any of the usual forms, or shipped as presets.
//!
//! A source is text in, tools and problems out ([`read_source`]); who reads files is not known here. JSON
//! Schemas are data of the user, kept as `serde_json::Value`, and compiled once, with the tool.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use smol_str::SmolStr;

use crate::schema::{CompiledSchema, Schema};

mod comments;
mod declarations;
mod forms;
mod mend;
mod place;
mod presets;
mod source;

pub use declarations::{ToolDeclaration, declarations};
pub use presets::{preset, preset_names};
pub use source::{RegistryDiagnostic, SourceContents, read_source};

/// The tools of one configuration, later sources over earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Whether any source was named: without one no tool is unknown.
    pub configured: bool,
    /// The tools by name.
    pub tools: BTreeMap<SmolStr, Arc<Tool>>,
    /// The files of the sources that are files, by what the user named them.
    pub files: BTreeMap<String, PathBuf>,
    /// The sources that could not be read, as the user named them: while there are some, a tool that is not
    /// found may be in one of them.
    pub broken: Vec<String>,
}

/// Whether both came of the same reading of the same sources: of two tools that only look alike, one may list its parameters in
/// another order.
impl PartialEq for Registry {
    fn eq(&self, other: &Self) -> bool {
        let Self { configured, tools, files, broken } = self;
        (configured, files, broken) == (&other.configured, &other.files, &other.broken)
            && tools.len() == other.tools.len()
            && tools
                .iter()
                .zip(&other.tools)
                .all(|((name, tool), (other_name, other))| name == other_name && Arc::ptr_eq(tool, other))
    }
}

/// One tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tool {
    /// Its name, as calls write it.
    pub name: SmolStr,
    /// What it does, if its source says so.
    pub description: Option<String>,
    /// The source that it comes from, as the user named it: a path or `preset:NAME`.
    pub source: String,
    /// The JSON Schema of its input, if its source has one.
    pub input_schema: Option<Value>,
    /// The JSON Schema of its output, if its source has one.
    pub output_schema: Option<Value>,
    /// What `input_schema` is judged by; nothing where it is no JSON Schema.
    pub input_compiled: CompiledSchema,
    /// As `input_compiled`, for `output_schema`.
    pub output_compiled: CompiledSchema,
}

impl Tool {
    /// What its input is judged by, if it can be.
    pub fn input(&self) -> Option<Schema<'_>> {
        Schema::new(self.input_schema.as_ref()?, &self.input_compiled)
    }

    /// What its output is judged by, if it can be.
    pub fn output(&self) -> Option<Schema<'_>> {
        Schema::new(self.output_schema.as_ref()?, &self.output_compiled)
    }
}

impl Registry {
    /// Whether a call may name `tool`.
    pub fn knows(&self, tool: &str) -> bool {
        !self.configured || self.tools.contains_key(tool)
    }

    /// Puts the tools of one more source over those that are there.
    pub fn add(&mut self, source: &SourceContents) {
        self.configured = true;
        for tool in &source.tools {
            self.tools.insert(tool.name.clone(), Arc::clone(tool));
        }
    }

    /// The tools that somebody may have meant who wrote `name`, nearest first, at most three.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        crate::nearest::nearest(name, self.tools.keys().map(SmolStr::as_str))
    }
}
