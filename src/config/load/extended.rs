//! Configurations that extend others with `extends`, and configurations that override another one
//! without extending it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::parts::LayerParts;
use super::reading::ConfigReading;
use super::{ConfigCacheKey, ConfigText, Files, Loader};
use crate::config::discover::{FILE_NAME, candidates, clean};
use crate::config::globs::Globs;
use crate::config::keys;
use crate::config::layer::{ConfigLayer, ConfigString};
use crate::config::node::{ConfigError, from_toml};
use crate::config::trust::without_quotes;
use crate::diagnostic::Code;
use crate::never::OrNever;
use crate::trial::FileFix;

/// Maximum number of configurations that one extends, one through the other.
const MOST_EXTENDED: usize = 32;

/// One configuration file as read.
pub(super) struct ConfigFileLevel {
    pub layer: ConfigLayer,
    pub parts: LayerParts,
    pub path: PathBuf,
    pub text: Arc<str>,
}

impl ConfigFileLevel {
    /// True if `globs` are from this file.
    pub fn has(&self, globs: &Globs) -> bool {
        let overrides = self.parts.overrides.iter().filter_map(|(globs, _)| globs.as_ref());
        self.parts.include.iter().chain(overrides).any(|own| own.is_same(globs))
    }

    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }
}

impl Loader {
    /// The configuration in `project` that would apply beside `file` if `file` did not exist.
    pub(super) fn hidden_config(
        &mut self,
        files: &dyn Files,
        file: &Path,
        project: &Path,
    ) -> Option<PathBuf> {
        let folder = file.parent().filter(|folder| folder.starts_with(project) && *folder != project)?;
        candidates(folder.parent()?, Some(project)).find(|candidate| self.text(files, candidate).is_some())
    }

    /// The reason why `file` cannot extend `next`: a cycle, or too many levels. Determined from
    /// each file separately, so that it does not depend on which document was opened first.
    fn extends_fault(&mut self, files: &dyn Files, file: &Path, next: &Path) -> Option<String> {
        let mut seen = vec![next.to_owned()];
        while let Some(last) = seen.last() {
            if last == file {
                return Some("this configuration extends itself through the one that it names".to_owned());
            }
            if seen.len() > MOST_EXTENDED {
                return Some(format!(
                    "more than {MOST_EXTENDED} configurations extend each other from here: extend one that is \
                     nearer to the last"
                ));
            }
            let last = last.clone();
            // A cycle that `file` is not part of is reported in the files of the cycle.
            seen.push(self.extended_by(files, &last).filter(|next| !seen.contains(next))?);
        }
        None
    }

    /// The file that the configuration at `path` extends.
    fn extended_by(&mut self, files: &dyn Files, path: &Path) -> Option<PathBuf> {
        if let Some(known) = self.extended.get(path) {
            return known.clone();
        }
        let text = self.text(files, path)?.ok()?;
        let extends = keys::read(&from_toml(&text).0).0.extends;
        let extended = extends.map(|extends| resolve_extends(path, &extends.text));
        self.extended.insert(path.to_owned(), extended.clone());
        extended
    }
}

impl ConfigReading<'_> {
    /// Reads the configuration `file`, which has `text`, after the configurations that it extends.
    /// Returns whether all of them are usable.
    pub(super) fn levels(&mut self, file: &Path, text: ConfigText) -> (Vec<Arc<ConfigFileLevel>>, bool) {
        self.report.sources.push(file.to_owned());
        let text = match text {
            Ok(text) => text,
            Err(reason) => {
                self.report.origin(Some(file.to_owned()), None);
                let message = format!("the configuration cannot be read: {reason}");
                self.report.push(Code::Config, ConfigError::new(0..0, message));
                return (Vec::new(), false);
            }
        };
        let (node, broken) = from_toml(&text);
        let mut usable = broken.is_none();
        let (layer, mut faults) = keys::read(&node);
        if let Some(broken) = &broken {
            // After the line of a syntax error the parser guesses.
            let line = text.get(..broken.span.start).and_then(|before| before.rfind('\n'));
            faults.retain(|fault| line.is_some_and(|line| fault.span.start <= line));
        }
        self.report.origin(Some(file.to_owned()), Some(Arc::clone(&text)));
        self.report.extend(broken);
        self.report.extend(faults);
        let mut levels = Vec::new();
        if let Some(extends) = &layer.extends {
            match self.extended(file, extends) {
                Ok((below, is_usable)) => {
                    levels = below;
                    usable &= is_usable;
                }
                Err(ExtendsError { message, is_usable }) => {
                    self.report.push(Code::Config, ConfigError::new(extends.span.clone(), message));
                    usable &= is_usable;
                }
            }
        } else if let (Some(hidden), false) = (&self.key.hidden, layer.root == Some(true)) {
            self.report.push(Code::Config, hides_error(file, &text, hidden));
        }
        let folder = file.parent().unwrap_or(file);
        let parts = LayerParts::new(
            &layer,
            if self.key.is_named { self.key.base.as_path() } else { folder },
            &mut self.report,
        );
        levels.push(Arc::new(ConfigFileLevel { layer, parts, path: file.to_owned(), text }));
        (levels, usable)
    }

    /// The levels from `extends` of `file`, and whether they are usable.
    fn extended(
        &mut self,
        file: &Path,
        extends: &ConfigString,
    ) -> Result<(Vec<Arc<ConfigFileLevel>>, bool), ExtendsError> {
        let path = resolve_extends(file, &extends.text);
        let cannot_be_read = |reason: &str| ExtendsError {
            message: format!("the configuration `{}` cannot be read: {reason}", extends.text),
            is_usable: false,
        };
        // Files outside of the project are not quoted: an untrusted configuration may name them.
        let is_outside = self.project().is_outside(self.files, &path);
        if is_outside && self.loader.trust.refuses_outside {
            return Err(cannot_be_read("it is outside of the project, and `--no-outside` disallows it"));
        }
        match self.loader.text(self.files, &path) {
            None => {
                self.report.sources.push(path);
                return Err(cannot_be_read("file not found"));
            }
            Some(Err(reason)) => {
                self.report.sources.push(path);
                return Err(cannot_be_read(&reason));
            }
            Some(Ok(_)) => {}
        }
        if let Some(message) = self.loader.extends_fault(self.files, file, &path) {
            self.report.sources.push(path);
            return Err(ExtendsError { message, is_usable: true });
        }
        // Selects the configuration that documents beside the file use.
        let hidden = self.loader.hidden_config(self.files, &path, &self.key.base);
        let below = ConfigCacheKey { file: Some(path.clone()), is_named: false, hidden, ..self.key.clone() };
        match self.loader.config(self.files, &below, self.editor) {
            Some(config) => {
                let problems = match is_outside {
                    true => without_quotes(&config.problems, &path),
                    false => Arc::clone(&config.problems),
                };
                self.report.inherit_problems(&problems, &config.sources);
                Ok((config.levels.clone(), config.usable))
            }
            None => Ok((Vec::new(), true)),
        }
    }

    /// Reads the tools of `levels` into the registry. Diagnostics of the tools of extended files
    /// are reported with those files.
    pub(super) fn tools_of(&mut self, levels: &[Arc<ConfigFileLevel>]) {
        for (index, level) in levels.iter().enumerate() {
            let Some(tools) = &level.layer.tools else { continue };
            self.report.origin(Some(level.path.clone()), Some(Arc::clone(&level.text)));
            let folder = level.folder();
            let project = self.project_of(folder);
            let problems = self.load_tools(&project, folder, tools);
            if index + 1 == levels.len() {
                self.report.add_sources(problems);
            }
        }
    }
}

/// The reason why a configuration is not extended.
struct ExtendsError {
    message: String,
    /// True if the rest of the configuration is usable without it.
    is_usable: bool,
}

/// The path of the file that `name` in `file` refers to.
fn resolve_extends(file: &Path, name: &str) -> PathBuf {
    clean(&file.parent().unwrap_or(file).join(name))
}

/// The error in the configuration `file`, which has `text`, that it hides `hidden`.
fn hides_error(file: &Path, text: &str, hidden: &Path) -> ConfigError {
    let folders = |path: &Path| path.parent().map_or(0, |folder| folder.components().count());
    let name = "../".repeat(folders(file).saturating_sub(folders(hidden))) + FILE_NAME;
    let extends = format!("extends = \"{name}\"");
    let message = format!(
        "`{name}` does not apply here: write `{extends}` to extend it, or `root = true` to ignore it"
    );
    let fixes = [&*extends, "root = true"].map(|key| add_key(text, key));
    let [extend, root] = fixes;
    ConfigError::new(0..text.lines().next().map_or(0, str::len), message).fixes([extend.preferred(), root])
}

/// Adds `key` before the first key of `text`, after the comments at its beginning.
fn add_key(text: &str, key: &str) -> FileFix {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = text.get(start..).or_never();
    let comments = rest.split_inclusive('\n').take_while(|line| line.starts_with('#'));
    let at = start + comments.map(str::len).sum::<usize>();
    let before =
        if at > start && !text.get(..at).is_some_and(|text| text.ends_with('\n')) { end } else { "" };
    FileFix::replace(format!("Add `{key}`"), at..at, format!("{before}{key}{end}"))
}
