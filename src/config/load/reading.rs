//! Reads one configuration, with the configurations that it extends, its tools and its servers.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::extended::ConfigFileLevel;
use super::parts::{LayerParts, apply};
use super::report::ConfigReport;
use super::{Config, ConfigCacheKey, ConfigText, Files, Loader};
use crate::config::globs::Globs;
use crate::config::layer::ConfigString;
use crate::config::node::{ConfigError, from_json};
use crate::config::sources::SourceDiagnostic;
use crate::config::trust::TrustedProject;
use crate::config::{Settings, keys};
use crate::diagnostic::Code;
use crate::registry::Registry;

/// A configuration while it is read.
pub(super) struct ConfigReading<'r> {
    pub loader: &'r mut Loader,
    pub files: &'r dyn Files,
    pub key: &'r ConfigCacheKey,
    /// The settings of the editor.
    pub editor: &'r Value,
    pub registry: Registry,
    pub report: ConfigReport,
}

impl<'r> ConfigReading<'r> {
    /// The reading of the configuration with `key`.
    pub fn new(
        loader: &'r mut Loader,
        files: &'r dyn Files,
        key: &'r ConfigCacheKey,
        editor: &'r Value,
    ) -> Self {
        let (registry, report) = (Registry::default(), ConfigReport::default());
        Self { loader, files, key, editor, registry, report }
    }

    /// The project of the configuration.
    pub fn project(&self) -> TrustedProject {
        let key = self.key;
        self.project_of(key.file.as_deref().and_then(Path::parent).unwrap_or(&key.base))
    }

    /// The project of a configuration in `folder`.
    pub fn project_of(&self, folder: &Path) -> TrustedProject {
        let workspace = self.key.workspace.as_deref().unwrap_or(folder);
        TrustedProject::of(self.files, &self.loader.trust, folder, workspace)
    }

    /// Reads the sources `tools` in `folder`, a part of `project`, into the registry.
    pub fn load_tools(
        &mut self,
        project: &TrustedProject,
        folder: &Path,
        tools: &[ConfigString],
    ) -> Vec<SourceDiagnostic> {
        let sources = &mut self.loader.sources;
        sources.load((self.files, project), folder, tools, &mut self.registry, &mut self.report.sources)
    }

    /// The configuration, if its file has the text `text`.
    pub fn config(mut self, text: Option<ConfigText>) -> Config {
        let Self { editor, key, .. } = self;
        let (editor_layer, faults) = keys::read(&from_json(editor));
        self.report.origin(None, None);
        self.report.extend(faults);
        if editor_layer.has_keys_of_files() {
            let message =
                "`extends`, `root`, `servers`, `run`, `compare` and `redact` are keys of chatls.toml"
                    .to_owned();
            self.report.push(Code::Config, ConfigError::new(0..0, message));
        }
        let editor_parts = LayerParts::new(&editor_layer, &key.base, &mut self.report);

        let (mut levels, mut usable) = (Vec::new(), true);
        if let (Some(file), Some(text)) = (&key.file, text) {
            (levels, usable) = self.levels(file, text);
        }

        let mut settings = Settings::default();
        levels.iter().for_each(|level| apply(&mut settings, &level.layer));
        apply(&mut settings, &editor_layer);
        // Both the nearest file and the editor can turn it off.
        let in_files = levels.iter().rev().find_map(|level| level.layer.enable);
        settings.enabled = [in_files, editor_layer.enable].into_iter().flatten().all(|is_on| is_on);
        settings.run = Arc::new(self.run_of(&levels));
        if let Some(tools) = &editor_layer.tools {
            self.report.origin(None, None);
            let project = self.project();
            let problems = self.load_tools(&project, &key.base, tools);
            self.report.add_sources(problems);
        } else {
            self.tools_of(&levels);
        }
        settings.registry = Arc::new(self.registry);

        let mut selected = settings.clone();
        self.loader.selection.apply(&mut selected);
        let problems = self.report.finish(&selected);
        // A file's own severities win over the overrides of the configurations that it extends; the
        // editor's severities win over all.
        let of_level = |level: &Arc<ConfigFileLevel>| {
            [(None, level.layer.document_values())].into_iter().chain(level.parts.overrides.clone())
        };
        let overrides = levels.iter().flat_map(of_level);
        let overrides = overrides
            .chain([(None, editor_layer.document_values())])
            .chain(editor_parts.overrides.clone())
            .collect();
        let nearest = |part: fn(&LayerParts) -> &Option<Globs>| {
            let mut parts = levels.iter().rev().map(|level| &level.parts);
            let nearest = part(&editor_parts).clone().or_else(|| parts.find_map(|parts| part(parts).clone()));
            // An empty list means the default, which is everything; so does one without valid
            // globs.
            nearest.filter(|globs| !globs.is_empty())
        };
        let include = nearest(|parts| &parts.include);
        let is_empty = editor_parts.include.as_ref().is_none_or(Globs::is_empty);
        settings.is_configured = key.file.is_some() || !is_empty;
        settings.hidden_names = include.as_ref().map(Globs::hidden_names).unwrap_or_default();
        Config {
            include,
            exclude: nearest(|parts| &parts.exclude),
            levels,
            overrides,
            settings,
            problems,
            sources: self.report.sources.into(),
            client_files: self.report.client_files,
            usable,
            variants: HashMap::new(),
        }
    }
}
