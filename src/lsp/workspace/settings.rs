//! The interface to configuration: requests to a source of settings, and its responses.
//!
//! A source is called in the pool, never on the main loop, because it may read files. It is called
//! again when a file, a folder or an editor setting changes.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Url;
use serde_json::Value;

use crate::config::{FILE_NAME, FileDiagnostic, Settings};
use crate::diagnostic::Diagnostic;
use crate::document::touches;
use crate::fixes::FixableDiagnostic;
use crate::text::{Text, shared_prefix};
use crate::trial::FileFix;

/// Finds the settings of documents.
pub trait SettingsSource: Send + Sync + 'static {
    /// The settings of a document. The document is parsed again only if they differ; an equal
    /// [`Arc`] is the fast check.
    fn settings(&self, question: &SettingsQuestion) -> SettingsResponse;

    /// True if a file that was read, or looked for, has changed.
    fn has_changed(&self) -> bool {
        false
    }

    /// Drops the data of changed files; returns whether there are any, so that the settings of
    /// other documents may be outdated. Called before the settings of some documents are requested.
    fn refresh(&self) -> bool {
        false
    }
}

/// A request for settings.
#[derive(Clone, Debug)]
pub struct SettingsQuestion {
    /// The document.
    pub uri: Url,
    /// True if the editor's language id declares it as a transcript.
    pub is_chat: bool,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The editor's settings under `chatls`; `null` if it has none.
    pub editor: Value,
}

impl SettingsQuestion {
    /// The request for the settings of `uri`, with the editor's settings for it, as for a file that
    /// is not open.
    pub fn new(uri: Url, folders: &Arc<[Url]>, editor: &EditorSettings) -> Self {
        let editor = editor.for_document(&uri).clone();
        Self { uri, is_chat: false, folders: Arc::clone(folders), editor }
    }
}

/// The response of a source.
#[derive(Clone, Debug, Default)]
pub struct SettingsResponse {
    /// The settings.
    pub settings: Arc<Settings>,
    /// All files that the settings come from, including missing files and files without
    /// diagnostics: a change of one makes the settings stale. Shared by all documents with the same
    /// files.
    pub files: Arc<[Arc<ConfigFile>]>,
    /// Errors in the editor's settings, which have no file.
    pub editor_errors: Arc<[String]>,
}

/// A configuration or registry file.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Its path: clients may spell its URI in many ways.
    pub path: PathBuf,
    /// Its text; empty if it cannot be read.
    pub text: Text,
    /// Its diagnostics, in offsets of its text.
    pub problems: Vec<Diagnostic>,
    /// The fixes of each of them, in the same order.
    pub fixes: Vec<Vec<FileFix>>,
}

impl ConfigFile {
    /// The file as it stands in `text`, its newer text in an editor: its diagnostics before and
    /// after what was changed, without fixes.
    pub fn moved(self: &Arc<Self>, text: &Text) -> Arc<Self> {
        if self.text == *text {
            return Arc::clone(self);
        }
        let (old, new) = (self.text.to_string(), text.to_string());
        let before = shared_prefix(old.bytes(), new.bytes());
        let most = old.len().min(new.len()) - before;
        let behind = shared_prefix(old.bytes().rev(), new.bytes().rev()).min(most);
        let moved = |problem: &Diagnostic| match problem.range.clone() {
            range if range.end <= before => Some(problem.clone()),
            range if range.start >= old.len() - behind => {
                let at = |offset: usize| offset + new.len() - old.len();
                Some(Diagnostic { range: at(range.start)..at(range.end), ..problem.clone() })
            }
            _ => None,
        };
        let problems: Vec<_> = self.problems.iter().filter_map(moved).collect();
        let fixes = vec![Vec::new(); problems.len()];
        Arc::new(Self { path: self.path.clone(), text: text.clone(), problems, fixes })
    }

    /// Its diagnostics that touch the bytes `range`, with their fixes.
    pub fn fixes_in(&self, range: &Range<usize>) -> Vec<FixableDiagnostic> {
        let found = self.problems.iter().zip(&self.fixes);
        found
            .filter(|(problem, _)| touches(&problem.range, range))
            .map(|(problem, fixes)| FixableDiagnostic { problem: problem.clone(), fixes: fixes.clone() })
            .collect()
    }
}

/// The files `sources` with their diagnostics from `problems`; other diagnostics go to `elsewhere`.
pub fn config_files(
    sources: &[PathBuf],
    problems: &[FileDiagnostic],
    mut elsewhere: impl FnMut(&FileDiagnostic),
) -> Arc<[Arc<ConfigFile>]> {
    let file = |path: &PathBuf| ConfigFile {
        path: path.clone(),
        text: Text::default(),
        problems: Vec::new(),
        fixes: Vec::new(),
    };
    let mut files: Vec<_> = sources.iter().map(file).collect();
    for problem in problems {
        let Some(file) = files.iter_mut().find(|file| Some(&file.path) == problem.path.as_ref()) else {
            elsewhere(problem);
            continue;
        };
        if let (true, Some(text)) = (file.text.is_empty(), &problem.text) {
            file.text = Text::new(text);
        }
        let FileDiagnostic { code, severity, range, message, .. } = problem;
        file.problems.push(Diagnostic::new(*code, *severity, range.clone(), message.clone()));
        file.fixes.push(problem.fixes.clone());
    }
    files.into_iter().map(Arc::new).collect()
}

/// True if a file with that name is a configuration in any folder.
pub fn is_config(uri: &Url) -> bool {
    uri.path_segments().and_then(|mut segments| segments.next_back()) == Some(FILE_NAME)
}

/// The editor's settings under `chatls`: from the options of `initialize` (`initial`, possibly the
/// settings themselves), from `didChangeConfiguration` (`changed`), and from the response to
/// `workspace/configuration` (`answered`), which takes precedence.
#[derive(Clone, Debug, Default)]
pub struct EditorSettings {
    initial: Value,
    changed: Value,
    /// By folder; the value without a folder applies to all others.
    by_folder: Option<Vec<(Option<Url>, Value)>>,
}

impl EditorSettings {
    /// The settings in `initializationOptions`.
    pub fn initial(options: Option<Value>) -> Self {
        let initial = match options {
            Some(Value::Object(mut options)) => {
                // Concerns the session, not settings: see `SessionCapabilities`.
                options.remove("restricted");
                options.remove("commandLinks");
                options.remove("files");
                options.remove("chatls").unwrap_or(Value::Object(options))
            }
            options => options.unwrap_or_default(),
        };
        Self { initial: object(initial), ..Self::default() }
    }

    /// Takes in the settings of `didChangeConfiguration`.
    pub fn change(&mut self, settings: &Value) {
        self.changed = object(settings.get("chatls").cloned().unwrap_or_default());
    }

    /// Takes in a response to `workspace/configuration`: a value for each of `folders`. After an
    /// error (`None`), the settings sent by the client apply.
    pub fn set_configuration(&mut self, folders: Vec<Option<Url>>, values: Option<Vec<Value>>) {
        self.by_folder =
            values.map(|values| folders.into_iter().zip(values.into_iter().map(object)).collect());
    }

    /// The settings for `document`. Empty settings are ignored, so that the initial settings apply:
    /// Emacs sends empty ones right after the start.
    pub fn for_document(&self, document: &Url) -> &Value {
        let is_filled = |value: &&Value| value.as_object().is_some_and(|object| !object.is_empty());
        let current = match &self.by_folder {
            Some(answered) => value_of(answered, document),
            None => Some(&self.changed),
        };
        current.into_iter().chain([&self.initial]).find(is_filled).unwrap_or(&Value::Null)
    }
}

/// The value of the deepest folder that contains `document`.
fn value_of<'a>(answered: &'a [(Option<Url>, Value)], document: &Url) -> Option<&'a Value> {
    let depth = |folder: &Option<Url>| match folder.as_ref().map(|it| it.as_str().trim_end_matches('/')) {
        Some(folder) => document.as_str().strip_prefix(folder)?.starts_with('/').then_some(folder.len()),
        None => Some(0),
    };
    let found = answered.iter().filter_map(|(folder, value)| Some((depth(folder)?, value)));
    found.max_by_key(|(depth, _)| *depth).map(|(_, value)| value)
}

/// Settings as an object; `null` for other values.
fn object(settings: Value) -> Value {
    match settings {
        Value::Object(_) => return settings,
        Value::Null => {}
        // An empty table in Lua, and an empty array in PHP.
        Value::Array(items) if items.is_empty() => {}
        _ => tracing::warn!("the settings under `chatls` are not an object and are ignored"),
    }
    Value::Null
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "`json!` makes values")]
    fn check(options: Value, change: Value, expected: Value) {
        let mut settings = EditorSettings::initial(Some(options.clone()));
        settings.change(&change);
        let document = Url::parse("untitled:a").expect("a URI");
        assert_eq!(settings.for_document(&document), &expected, "{options} then {change}");
        // A response takes precedence over a change, and an error is not a response.
        settings.set_configuration(vec![None], Some(vec![json!({"asked": 1})]));
        assert_eq!(settings.for_document(&document), &json!({"asked": 1}));
        settings.set_configuration(vec![None], None);
        assert_eq!(settings.for_document(&document), &expected, "{options} then {change}");
    }

    #[test]
    fn the_deepest_folder_counts() {
        let folders = [None, Some("file:///w"), Some("file:///w/inner/"), Some("file:///x")];
        let folders = folders.map(|folder| folder.map(|folder| Url::parse(folder).expect("a URI")));
        let values = ["none", "w", "inner", "x"].map(|name| json!({"name": name}));
        let mut settings = EditorSettings::initial(Some(json!({"name": "initial"})));
        settings.set_configuration(folders.to_vec(), Some(values.to_vec()));
        for (uri, expected) in [
            ("file:///w/a.md", "w"),
            ("file:///w/inner/a.md", "inner"),
            ("file:///w/innermost/a.md", "w"),
            ("file:///y/a.md", "none"),
            ("untitled:a", "none"),
        ] {
            assert_eq!(settings.for_document(&Url::parse(uri).expect("a URI"))["name"], expected, "{uri}");
        }
        settings.set_configuration(vec![None], Some(vec![json!(null)]));
        assert_eq!(settings.for_document(&Url::parse("untitled:a").expect("a URI"))["name"], "initial");
    }

    #[test]
    fn empty_settings_say_nothing() {
        check(json!(null), json!(null), json!(null));
        check(json!({}), json!({"chatls": {}}), json!(null));
        check(json!({"a": 1}), json!({}), json!({"a": 1}));
        check(json!({"chatls": {"a": 1}}), json!({"chatls": null}), json!({"a": 1}));
        check(json!({"chatls": {"a": 1}}), json!({"chatls": {"b": 2}}), json!({"b": 2}));
        check(json!({"a": 1}), json!({"chatls": 7}), json!({"a": 1}));
        check(json!("a"), json!({"chatls": []}), json!(null));
        check(json!(null), json!({"other": {"a": 1}}), json!(null));
    }
}
