//! Resolves the settings of a document: finds the configuration, reads it and its registries once,
//! and applies the editor settings over it.
//!
//! A [`Loader`] caches everything that it read until [`Loader::refresh`], so that ten thousand
//! documents under one configuration cost one reading. It does no IO itself: [`Files`] is passed
//! in.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::Settings;
use super::discover::{candidates, clean, folder_of};
use super::files::{FileDiagnostic, Files};
use super::globs::Globs;
use super::layer::DocumentValues;
use super::selection::Selection;
use super::sources::{RegistrySources, read_error_message};
use super::transcript_names::is_chat_name;
use super::trust::{TrustSettings, without_quotes};
use crate::never::OrNever;
use crate::trial::retain_working_fixes;

mod extended;
mod parts;
mod reading;
mod report;
mod running;

use extended::ConfigFileLevel;
use reading::ConfigReading;

/// The location of a document: everything that its configuration depends on.
#[derive(Clone, Copy, Debug)]
pub struct ConfigLocation<'a> {
    /// The document's absolute path; `None` if it is not a file, such as an untitled document. Such
    /// a document belongs to the first workspace folder.
    pub document: Option<&'a Path>,
    /// True if the editor declares the document as a transcript, by its language id or an untitled
    /// document's name.
    pub is_chat: bool,
    /// The workspace folders, as absolute paths.
    pub folders: &'a [PathBuf],
    /// The project's folder, used if no workspace folder contains the document, as an absolute
    /// path.
    pub project: Option<&'a Path>,
    /// The configuration file that the user specified. It replaces all others; its globs are
    /// relative to the workspace folder or the project.
    pub config: Option<&'a Path>,
    /// The editor's settings under `chatls`; `null` if it has none.
    pub editor: &'a Value,
}

impl<'a> ConfigLocation<'a> {
    /// The location of a file outside of editors.
    pub fn of_file(document: &'a Path, project: &'a Path, config: Option<&'a Path>) -> Self {
        let (document, project) = (Some(document), Some(project));
        Self { document, is_chat: false, folders: &[], project, config, editor: &Value::Null }
    }
}

/// The settings of one document, with the diagnostics of their sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings; shared by all documents with equal settings.
    pub settings: Arc<Settings>,
    /// Diagnostics of the configuration and its registries; shared by all documents that use them,
    /// so that [`Arc::ptr_eq`] identifies those already reported.
    pub problems: Arc<[FileDiagnostic]>,
    /// The configuration file and the registry files, including missing registries. The result may
    /// change when one of them does, or when a `chatls.toml` is created in a parent folder.
    pub sources: Arc<[PathBuf]>,
    /// True if the configuration file could be read, and is valid TOML.
    pub usable: bool,
}

/// A glob of a configuration that matches no document.
#[derive(Clone, Debug)]
pub struct UnmatchedGlob {
    /// The configuration file.
    pub path: PathBuf,
    /// The text of the file.
    pub text: Arc<str>,
    /// The range of the glob in the text, in bytes.
    pub range: Range<usize>,
    /// The glob.
    pub glob: String,
}

/// Finds and caches configurations.
#[derive(Default)]
pub struct Loader {
    /// Configuration files by path; `None` if the file does not exist.
    texts: HashMap<PathBuf, Option<ConfigText>>,
    configs: HashMap<ConfigCacheKey, Config>,
    /// The file that each configuration extends, by its path.
    extended: HashMap<PathBuf, Option<PathBuf>>,
    /// The configurations that were read only for the trial of a fix, without testing their own
    /// fixes; `None` outside of a trial.
    read_in_trial: Option<Vec<ConfigCacheKey>>,
    sources: RegistrySources,
    trust: TrustSettings,
    selection: Selection,
}

/// A configuration file's text, or the reason why it cannot be read.
type ConfigText = Result<Arc<str>, String>;

/// The key of a cached [`Config`]: its file, the base folder of the editor settings, and the fields
/// below.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ConfigCacheKey {
    file: Option<PathBuf>,
    /// True if the user specified the file, and so trusts it.
    is_named: bool,
    /// The configuration above it that it overrides.
    hidden: Option<PathBuf>,
    /// The folder opened in the editor.
    workspace: Option<PathBuf>,
    base: PathBuf,
    editor: String,
}

/// A configuration with its registries, ready for any document.
struct Config {
    settings: Settings,
    /// The file, preceded by the files that it extends.
    levels: Vec<Arc<ConfigFileLevel>>,
    include: Option<Globs>,
    exclude: Option<Globs>,
    /// Severities and the API by path; the last match wins: the file's overrides, then all of the
    /// editor's. `None` applies to every document.
    overrides: Vec<(Option<Globs>, DocumentValues)>,
    problems: Arc<[FileDiagnostic]>,
    sources: Arc<[PathBuf]>,
    /// The requested files that are not sources: files of other clients, and cached listings.
    client_files: Vec<PathBuf>,
    usable: bool,
    /// Settings by their determining facts: whether the document is selected, whether it is
    /// declared as a transcript, whether its ending is searched for, and which overrides apply to
    /// it.
    variants: HashMap<(bool, bool, bool, Vec<bool>), Arc<Settings>>,
}

impl Loader {
    /// Creates a loader with these trust settings.
    pub fn new(trust: TrustSettings) -> Self {
        Self { trust, ..Self::default() }
    }

    /// Restricts the settings to the codes of `selection`.
    pub fn select(self, selection: Selection) -> Self {
        Self { selection, ..self }
    }

    /// The trust settings.
    pub fn trust(&self) -> &TrustSettings {
        &self.trust
    }

    /// Returns the settings of the document at `place`.
    pub fn load(&mut self, files: &dyn Files, place: &ConfigLocation<'_>) -> Loaded {
        let document = place.document.map(clean);
        let folder = match &document {
            Some(document) => folder_of(document, place.folders),
            None => place.folders.first().map(PathBuf::as_path),
        };
        let start = document.as_deref().and_then(Path::parent).or(folder);
        let file = match (place.config, start) {
            (Some(config), _) => {
                let config = clean(config);
                self.text(files, &config);
                Some(config)
            }
            (None, Some(start)) => {
                candidates(start, folder).find(|candidate| self.text(files, candidate).is_some())
            }
            (None, None) => None,
        };
        let project = folder.or(place.project);
        // The editor's paths are relative to the workspace folder; without one, to the
        // configuration's.
        let base = project.or_else(|| file.as_deref().and_then(Path::parent)).or(start);
        let base = base.unwrap_or(Path::new("")).to_owned();
        let editor = if place.editor.is_null() { String::new() } else { place.editor.to_string() };
        let is_named = place.config.is_some();
        let hidden = file.as_deref().filter(|_| !is_named).zip(project);
        let hidden = hidden.and_then(|(file, project)| self.hidden_config(files, file, project));
        let workspace = folder.map(Path::to_owned);
        let key = ConfigCacheKey { file, is_named, hidden, workspace, base, editor };
        _ = self.config(files, &key, place.editor);
        match self.configs.get_mut(&key) {
            Some(config) => config.for_document(document.as_deref(), place.is_chat, &self.selection),
            None => Loaded::default(),
        }
    }

    fn config(&mut self, files: &dyn Files, key: &ConfigCacheKey, editor: &Value) -> Option<&mut Config> {
        if !self.configs.contains_key(key) {
            let config = self.read_config(files, key, editor);
            self.configs.insert(key.clone(), config);
            self.read_in_trial.iter_mut().for_each(|read| read.push(key.clone()));
        }
        self.configs.get_mut(key)
    }

    /// All files that were looked up, including missing ones: while none of them changes, the
    /// loaded settings do not change either.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let sources =
            self.configs.values().flat_map(|config| config.sources.iter().chain(&config.client_files));
        self.texts.keys().chain(sources).map(PathBuf::as_path)
    }

    /// The globs of `include` and `[[override]]` that have matched no document yet, in the
    /// configurations whose globs are relative to a folder in `folders` or below one.
    pub fn unmatched_globs(&self, folders: &[PathBuf]) -> Vec<UnmatchedGlob> {
        let mut found: BTreeMap<(&Path, usize), (bool, UnmatchedGlob)> = BTreeMap::new();
        for config in self.configs.values() {
            let overrides = config.overrides.iter().filter_map(|(globs, _)| globs.as_ref());
            for globs in config.include.iter().chain(overrides) {
                let is_origin = |level: &&Arc<ConfigFileLevel>| level.has(globs);
                let level = config.levels.iter().find(is_origin);
                let is_searched = folders.iter().any(|folder| globs.base().starts_with(folder));
                let Some(level) = level.filter(|_| is_searched) else { continue };
                for (glob, is_matched) in globs.matched_globs() {
                    let unmatched = || UnmatchedGlob {
                        path: level.path.clone(),
                        text: Arc::clone(&level.text),
                        range: glob.span.clone(),
                        glob: glob.text.clone(),
                    };
                    let key = (level.path.as_path(), glob.span.start);
                    found.entry(key).or_insert_with(|| (false, unmatched())).0 |= is_matched;
                }
            }
        }
        found.into_values().filter(|(is_matched, _)| !is_matched).map(|(_, unmatched)| unmatched).collect()
    }

    /// Reads all files again and drops everything that depends on a changed one. Everything else
    /// keeps its [`Arc`]s.
    pub fn refresh(&mut self, files: &dyn Files) {
        let mut changed = self.sources.refresh(files);
        for (path, known) in &mut self.texts {
            let now = read(files, path);
            if now != *known {
                *known = now;
                changed.push(path.clone());
            }
        }
        self.extended.retain(|path, _| !changed.contains(path));
        self.configs.retain(|_, config| {
            !config.sources.iter().chain(&config.client_files).any(|source| changed.contains(source))
        });
    }

    fn text(&mut self, files: &dyn Files, path: &Path) -> Option<ConfigText> {
        if let Some(known) = self.texts.get(path) {
            return known.clone();
        }
        let read = read(files, path);
        self.texts.insert(path.to_owned(), read.clone());
        read
    }

    fn read_config(&mut self, files: &dyn Files, key: &ConfigCacheKey, editor: &Value) -> Config {
        let text = key
            .file
            .as_ref()
            .map(|file| self.text(files, file).unwrap_or_else(|| Err("file not found".to_owned())));
        let project = ConfigReading::new(self, files, key, editor).project();
        let leaves = key.file.as_ref().filter(|file| !key.is_named && project.is_outside(files, file));
        let text = match leaves.is_some() && self.trust.refuses_outside {
            true => {
                Some(Err("it is a link that leaves the project, and `--no-outside` disallows it".to_owned()))
            }
            false => text,
        };
        let mut config = ConfigReading::new(self, files, key, editor).config(text.clone());
        if let Some(file) = leaves {
            config.problems = without_quotes(&config.problems, file);
        }
        let is_own = |problem: &FileDiagnostic| problem.path == key.file && !problem.fixes.is_empty();
        let is_trial = self.read_in_trial.is_some();
        if let Some(Ok(text)) = text.filter(|_| !is_trial && config.problems.iter().any(is_own)) {
            self.read_in_trial = Some(Vec::new());
            let mut problems = config.problems.to_vec();
            // Fixes of registries have been tested on the texts of the registries.
            let mut of_others = |problem: &mut FileDiagnostic| match is_own(problem) {
                true => Vec::new(),
                false => std::mem::take(&mut problem.fixes),
            };
            let of_others: Vec<_> = problems.iter_mut().map(&mut of_others).collect();
            retain_working_fixes(&text, &mut problems, |mended| {
                let reading = ConfigReading::new(self, files, key, editor);
                reading.config(Some(Ok(mended.into()))).problems.to_vec()
            });
            for (problem, fixes) in problems.iter_mut().zip(of_others) {
                problem.fixes.extend(fixes);
            }
            // Fixes of these configurations were not tested.
            for key in self.read_in_trial.take().unwrap_or_default() {
                self.configs.remove(&key);
            }
            config.problems = problems.into();
        }
        config
    }
}

fn read(files: &dyn Files, path: &Path) -> Option<ConfigText> {
    match files.read(path) {
        Ok(text) => Some(Ok(Arc::from(text))),
        // A file in the position of a folder counts as missing.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
        Err(error) => Some(Err(read_error_message(&error))),
    }
}

impl Default for Loaded {
    fn default() -> Self {
        Self { settings: Arc::default(), problems: Arc::new([]), sources: Arc::new([]), usable: true }
    }
}

impl Config {
    fn for_document(&mut self, document: Option<&Path>, is_chat: bool, selection: &Selection) -> Loaded {
        if let Some(document) = document {
            let overrides = self.overrides.iter_mut().filter_map(|(globs, _)| globs.as_mut());
            self.include.iter_mut().chain(overrides).for_each(|globs| globs.mark_matched(document));
        }
        let kind = |globs: &Globs| document.is_some_and(|document| globs.names_kind_of(document));
        let is_searched_for = self.include.as_ref().is_some_and(kind);
        let matches = |globs: &Globs| document.is_some_and(|document| globs.matches(document));
        let included = document.is_none() || self.include.as_ref().is_none_or(matches);
        let is_within = |globs: &Globs| document.is_some_and(|document| globs.matches_within(document));
        let enabled = self.settings.enabled && included && !self.exclude.as_ref().is_some_and(is_within);
        // The default `include` selects everything, and declares nothing as a transcript.
        let is_named =
            is_chat || document.is_some_and(is_chat_name) || self.include.as_ref().is_some_and(matches);
        let holds: Vec<bool> =
            self.overrides.iter().map(|(globs, _)| globs.as_ref().is_none_or(matches)).collect();
        let variant = (enabled, is_searched_for, is_named, holds);
        if !self.variants.contains_key(&variant) {
            let mut settings = self.settings.clone();
            settings.enabled = enabled;
            settings.is_off = !self.settings.enabled;
            settings.is_named = is_named;
            settings.is_searched_for = is_searched_for;
            for ((_, values), _) in self.overrides.iter().zip(&variant.3).filter(|(_, holds)| **holds) {
                values.apply(&mut settings);
            }
            selection.apply(&mut settings);
            self.variants.insert(variant.clone(), Arc::new(settings));
        }
        Loaded {
            settings: self.variants.get(&variant).cloned().or_never(),
            problems: Arc::clone(&self.problems),
            sources: Arc::clone(&self.sources),
            usable: self.usable,
        }
    }
}

#[cfg(test)]
mod tests;
