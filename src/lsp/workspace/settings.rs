//! The seam to configuration: what a source of settings is asked, and what it answers.
//!
//! A source is asked in the pool, never on the main loop: it may read files. It is asked again when a file, a
//! folder or an editor setting changes.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Url;
use serde_json::Value;

use crate::config::{FILE_NAME, Settings};
use crate::diagnostic::Diagnostic;
use crate::document::{FixableDiagnostic, touches};
use crate::text::Text;
use crate::trial::FileFix;

/// Finds the settings of documents.
pub trait SettingsSource: Send + Sync + 'static {
    /// The settings that hold for a document. It is read again only under others than before; that the [`Arc`] is the same
    /// says so at once.
    fn settings(&self, question: &SettingsQuestion) -> SettingsResponse;

    /// Whether a file that was read, or looked for, is another one by now.
    fn has_changed(&self) -> bool {
        false
    }

    /// Forgets what comes from files that have changed; returns whether there are any, so that what documents were
    /// told before may no longer hold. Called before a number of documents is asked for.
    fn refresh(&self) -> bool {
        false
    }
}

/// What settings are wanted for.
#[derive(Clone, Debug)]
pub struct SettingsQuestion {
    /// The document.
    pub uri: Url,
    /// Whether the editor says that it is a transcript, by its language id.
    pub is_chat: bool,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The editor's settings under `chatls`; `null` where it says nothing.
    pub editor: Value,
}

/// What a source answers.
#[derive(Clone, Debug, Default)]
pub struct SettingsResponse {
    /// The settings.
    pub settings: Arc<Settings>,
    /// Every file that they come from, also those without problems and those that are missing: a change of one asks
    /// again. Shared by all documents with the same ones.
    pub files: Arc<[Arc<ConfigFile>]>,
    /// What is wrong with the editor's settings, which no file can show.
    pub editor_errors: Arc<[String]>,
}

/// A configuration or registry file.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Where it is: clients may spell its URI in many ways.
    pub path: PathBuf,
    /// Its text; empty where it cannot be read.
    pub text: Text,
    /// What is wrong with it, in offsets of its text.
    pub problems: Vec<Diagnostic>,
    /// What mends each of them, in the same order.
    pub fixes: Vec<Vec<FileFix>>,
}

impl ConfigFile {
    /// Those of its problems that touch the bytes `range`, and what mends each.
    pub fn fixes_in(&self, range: &Range<usize>) -> Vec<FixableDiagnostic> {
        let found = self.problems.iter().zip(&self.fixes);
        found
            .filter(|(problem, _)| touches(&problem.range, range))
            .map(|(problem, fixes)| FixableDiagnostic { problem: problem.clone(), fixes: fixes.clone() })
            .collect()
    }
}

/// The source that knows no files: defaults for everything.
#[derive(Debug, Default)]
pub struct DefaultSettingsSource {
    settings: Arc<Settings>,
}

impl SettingsSource for DefaultSettingsSource {
    fn settings(&self, _: &SettingsQuestion) -> SettingsResponse {
        SettingsResponse { settings: Arc::clone(&self.settings), ..SettingsResponse::default() }
    }
}

/// Whether a file of that name is configuration wherever it is.
pub fn is_config(uri: &Url) -> bool {
    uri.path_segments().and_then(|mut segments| segments.next_back()) == Some(FILE_NAME)
}

/// What the editor says under `chatls`: in the options of `initialize` (`initial`, which may be the settings
/// themselves), in `didChangeConfiguration` (`changed`), and in its answer to `workspace/configuration` (`answered`),
/// which is there to be believed.
#[derive(Clone, Debug, Default)]
pub struct EditorSettings {
    initial: Value,
    changed: Value,
    /// By the folders that they are for; without one they are for all others.
    by_folder: Option<Vec<(Option<Url>, Value)>>,
}

impl EditorSettings {
    /// Those of `initializationOptions`.
    pub fn initial(options: Option<Value>) -> Self {
        let initial = match options {
            Some(Value::Object(mut options)) => options.remove("chatls").unwrap_or(Value::Object(options)),
            options => options.unwrap_or_default(),
        };
        Self { initial: object(initial), ..Self::default() }
    }

    /// Takes in those of `didChangeConfiguration`.
    pub fn change(&mut self, settings: &Value) {
        self.changed = object(settings.get("chatls").cloned().unwrap_or_default());
    }

    /// Takes in an answer to `workspace/configuration`: a value for each of `folders`. `None` is no answer, and then
    /// what was sent unasked holds.
    pub fn set_configuration(&mut self, folders: Vec<Option<Url>>, values: Option<Vec<Value>>) {
        self.by_folder =
            values.map(|values| folders.into_iter().zip(values.into_iter().map(object)).collect());
    }

    /// Those that hold for `document`. Empty ones say nothing, so what was said at first holds: Emacs sends some right
    /// after the start.
    pub fn for_document(&self, document: &Url) -> &Value {
        let says_something = |value: &&Value| value.as_object().is_some_and(|object| !object.is_empty());
        let said = match &self.by_folder {
            Some(answered) => value_of(answered, document),
            None => Some(&self.changed),
        };
        said.into_iter().chain([&self.initial]).find(says_something).unwrap_or(&Value::Null)
    }
}

/// The value of the deepest folder that `document` is in.
fn value_of<'a>(answered: &'a [(Option<Url>, Value)], document: &Url) -> Option<&'a Value> {
    let depth = |folder: &Option<Url>| match folder.as_ref().map(|it| it.as_str().trim_end_matches('/')) {
        Some(folder) => document.as_str().strip_prefix(folder)?.starts_with('/').then_some(folder.len()),
        None => Some(0),
    };
    let found = answered.iter().filter_map(|(folder, value)| Some((depth(folder)?, value)));
    found.max_by_key(|(depth, _)| *depth).map(|(_, value)| value)
}

/// Settings as an object; `null` for all else.
fn object(settings: Value) -> Value {
    match settings {
        Value::Object(_) => return settings,
        Value::Null => {}
        // How Lua writes an empty table, and PHP an empty array.
        Value::Array(items) if items.is_empty() => {}
        _ => tracing::warn!("the settings under `chatls` are no object: they are passed over"),
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
        // An answer is believed instead of a change, and no answer is none.
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
