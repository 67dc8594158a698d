//! The registry of one configuration, from its `tools`. Each source is read once, however many
//! configurations name it.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::Files;
use super::keys;
use super::layer::ConfigString;
use super::node::{ConfigError, from_toml};
use super::trust::TrustedProject;
use crate::config::fixes;
use crate::diagnostic::Code;
use crate::nearest::{did_you_mean, nearest};
use serde_json::{Value, json};

use crate::never::OrNever;
use crate::registry::{
    Registry, RegistryDiagnostic, SourceContents, Tool, preset, preset_names, read_source,
};

/// The name of sources that are a JSON Schema.
const SCHEMA: &str = "schema";

/// A diagnostic of a configuration's sources.
pub(super) enum SourceDiagnostic {
    /// In the configuration, at the name of the source.
    Named { code: Code, fault: ConfigError },
    /// In the source itself.
    Inside { path: PathBuf, text: Arc<str>, problem: RegistryDiagnostic },
}

impl SourceDiagnostic {
    /// A diagnostic of a registry, at its name.
    fn of_registry(named: &ConfigString, message: String) -> Self {
        Self::Named { code: Code::Registry, fault: ConfigError::new(named.span.clone(), message) }
    }
}

/// Sources as read, by path and by the name in the configuration, which is also the source of their
/// tools.
#[derive(Default)]
pub(super) struct RegistrySources {
    read: HashMap<(PathBuf, String), Result<Arc<SourceFile>, String>>,
    /// Presets by the name in the configuration.
    presets: HashMap<String, Arc<SourceFile>>,
}

struct SourceFile {
    source: Arc<SourceContents>,
    text: Arc<str>,
}

impl SourceFile {
    fn read(text: &str, name: &str) -> Arc<Self> {
        Arc::new(Self { source: Arc::new(read_source(text, name)), text: text.into() })
    }
}

impl RegistrySources {
    /// Reads the sources in `tools`, relative to `base`, into `registry`, and adds their files,
    /// including missing ones, to `paths`. A file outside of the project is ignored and not quoted
    /// unless it is clearly a registry.
    pub fn load(
        &mut self,
        (files, project): (&dyn Files, &TrustedProject),
        base: &Path,
        tools: &[ConfigString],
        registry: &mut Registry,
        paths: &mut Vec<PathBuf>,
    ) -> Vec<SourceDiagnostic> {
        let mut problems = Vec::new();
        for named in tools {
            registry.configured = true;
            let found = match named.text.strip_prefix("preset:") {
                Some(name) => self.preset_source(name, named),
                None => self.file_source((files, project), base, named, paths),
            };
            match found {
                Ok((path, file)) => {
                    registry.add(&file.source);
                    if !path.as_os_str().is_empty() {
                        registry.files.insert(named.text.clone(), path.clone());
                    }
                    if file.source.broken {
                        registry.broken.push(named.text.clone());
                    }
                    for problem in &file.source.problems {
                        problems.push(SourceDiagnostic::Inside {
                            path: path.clone(),
                            text: Arc::clone(&file.text),
                            problem: problem.clone(),
                        });
                    }
                }
                Err(problem) => {
                    registry.broken.push(named.text.clone());
                    problems.push(problem);
                }
            }
        }
        problems
    }

    /// The tools in the file at `path`, which chatls wrote itself; `None` if there is none, or it
    /// is damaged.
    pub fn cached(&mut self, files: &dyn Files, path: &Path, name: &str) -> Option<Arc<SourceContents>> {
        let read = self.read.entry((path.to_owned(), name.to_owned())).or_insert_with(|| {
            let text = files.read(path).map_err(|error| read_error_message(&error))?;
            Ok(SourceFile::read(&text, name))
        });
        read.as_ref().ok().map(|file| Arc::clone(&file.source)).filter(|source| !source.broken)
    }

    /// The tool, without a name, whose input has the JSON Schema in the file `named`.
    pub fn schema(
        &mut self,
        (files, project): (&dyn Files, &TrustedProject),
        base: &Path,
        named: &ConfigString,
        paths: &mut Vec<PathBuf>,
    ) -> Result<Arc<Tool>, SourceDiagnostic> {
        let path = add_path(base, named, paths);
        let is_outside = project.is_outside(files, &path);
        let read = self.read.entry((path.clone(), SCHEMA.to_owned())).or_insert_with(|| {
            if is_outside {
                return Err("it is outside of this project: copy it into the project".to_owned());
            }
            let text = files.read(&path).map_err(|error| read_error_message(&error))?;
            let schema: Value =
                serde_json::from_str(&text).map_err(|error| format!("it is not JSON: {error}"))?;
            let listed = json!([{"name": SCHEMA, "inputSchema": schema}]).to_string();
            let source = Arc::new(read_source(&listed, SCHEMA));
            match source.problems.first() {
                Some(problem) => Err(problem.message.clone()),
                None => Ok(Arc::new(SourceFile { source, text: text.into() })),
            }
        });
        let found = read.as_ref().map(|file| file.source.tools.first().map(Arc::clone).or_never());
        found.map_err(|reason| {
            let message = format!("the schema `{}` cannot be used: {reason}", named.text);
            SourceDiagnostic::of_registry(named, message)
        })
    }

    /// Reads all files again, drops the changed ones, and returns their paths.
    pub fn refresh(&mut self, files: &dyn Files) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        self.read.retain(|(path, _), known| {
            let same = match (files.read(path), &*known) {
                (Ok(text), Ok(file)) => *text == *file.text,
                (Err(error), Err(known)) => read_error_message(&error) == *known,
                _ => false,
            };
            if !same {
                changed.push(path.clone());
            }
            same
        });
        changed
    }

    fn file_source(
        &mut self,
        (files, project): (&dyn Files, &TrustedProject),
        base: &Path,
        named: &ConfigString,
        paths: &mut Vec<PathBuf>,
    ) -> Result<(PathBuf, Arc<SourceFile>), SourceDiagnostic> {
        let path = add_path(base, named, paths);
        let is_outside = project.is_outside(files, &path);
        let refused = |reason: &str| {
            let message = format!("the tool registry `{}` is outside of this project, {reason}", named.text);
            SourceDiagnostic::of_registry(named, message)
        };
        if is_outside && project.refuses_outside {
            return Err(refused("and `--no-outside` disallows it: copy it into the project"));
        }
        let read = self.read.entry((path.clone(), named.text.clone())).or_insert_with(|| {
            let text = files.read(&path).map_err(|error| read_error_message(&error))?;
            Ok(SourceFile::read(&text, &named.text))
        });
        match read {
            Ok(file) if is_outside && !is_plainly_registry(&file.source) => Err(refused(
                "and not a valid registry, so it is neither used nor quoted: copy it into the project",
            )),
            Ok(file) => Ok((path, Arc::clone(file))),
            Err(reason) => {
                let message = format!("the tool registry `{}` cannot be read: {reason}", named.text);
                Err(SourceDiagnostic::of_registry(named, message))
            }
        }
    }

    fn preset_source(
        &mut self,
        name: &str,
        named: &ConfigString,
    ) -> Result<(PathBuf, Arc<SourceFile>), SourceDiagnostic> {
        match preset(name) {
            Some(text) => {
                let read = || SourceFile::read(text, &named.text);
                let file = self.presets.entry(named.text.clone()).or_insert_with(read);
                Ok((PathBuf::new(), Arc::clone(file)))
            }
            None => {
                let near = nearest(name, preset_names());
                let hint = if near.is_empty() {
                    let names: Vec<_> = preset_names().map(|name| format!("`{name}`")).collect();
                    format!("; there are {}", names.join(" and "))
                } else {
                    did_you_mean(&near)
                };
                let message = format!("there is no preset `{name}`{hint}");
                let named_near: Vec<_> = near.iter().map(|name| format!("preset:{name}")).collect();
                let named_near: Vec<_> = named_near.iter().map(String::as_str).collect();
                let fixes = fixes::write_string(&named.span, &named_near);
                let fault = ConfigError::new(named.span.clone(), message).fixes(fixes);
                Err(SourceDiagnostic::Named { code: Code::Config, fault })
            }
        }
    }
}

/// Adds the path of the file `named`, relative to `base`, to `paths`, and returns it.
fn add_path(base: &Path, named: &ConfigString, paths: &mut Vec<PathBuf>) -> PathBuf {
    let path = super::discover::clean(&base.join(&named.text));
    if !paths.contains(&path) {
        paths.push(path.clone());
    }
    path
}

/// True if a file is clearly a registry, and not a different file that contains names.
fn is_plainly_registry(source: &SourceContents) -> bool {
    source.problems.is_empty() && source.tools.iter().any(|tool| tool.input_schema.is_some())
}

/// The sources under `tools` in the configuration `text`, with their byte ranges, as far as the
/// text can be parsed.
pub fn named_sources(text: &str) -> Vec<(Range<usize>, String)> {
    let (layer, _) = keys::read(&from_toml(text).0);
    layer.tools.into_iter().flatten().map(|named| (named.span, named.text)).collect()
}

/// The reason why a file cannot be read, in the same words on every system if possible.
pub fn read_error_message(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "file not found".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}
