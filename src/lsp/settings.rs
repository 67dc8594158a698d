//! The seam to configuration: what a source of settings is asked, and what it answers.
//!
//! A source is asked in the pool, never on the main loop: it may read files. It is asked again when a file, a
//! folder or an editor setting changes.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Url;
use serde_json::Value;

use crate::config::{FILE_NAME, Settings};
use crate::rules::Problem;
use crate::text::Text;

/// Finds the settings of documents.
pub trait SettingsSource: Send + Sync + 'static {
    /// The settings that hold for a document. The same [`Arc`] as before says that nothing changed: only for
    /// another one is the document read again.
    fn settings(&self, question: &Question) -> Resolved;

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
pub struct Question {
    /// The document.
    pub uri: Url,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The editor's settings under `chatls`; `null` where it says nothing.
    pub editor: Value,
}

/// What a source answers.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The settings.
    pub settings: Arc<Settings>,
    /// Every file that they come from, also those without problems and those that are missing: a change of one asks
    /// again. Shared by all documents with the same ones.
    pub files: Arc<[Arc<ConfigFile>]>,
}

/// A configuration or registry file.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Where it is: clients may spell its URI in many ways.
    pub path: PathBuf,
    /// Its text; `None` where it cannot be read.
    pub text: Option<Text>,
    /// What is wrong with it, in offsets of its text.
    pub problems: Vec<Problem>,
}

/// The source that knows no files: defaults for everything.
#[derive(Debug, Default)]
pub struct Defaults {
    settings: Arc<Settings>,
}

impl SettingsSource for Defaults {
    fn settings(&self, _: &Question) -> Resolved {
        Resolved { settings: Arc::clone(&self.settings), files: Arc::default() }
    }
}

/// Whether a file of that name is configuration wherever it is.
pub fn is_config(uri: &Url) -> bool {
    uri.path_segments().and_then(|mut segments| segments.next_back()) == Some(FILE_NAME)
}

/// What the editor says under `chatls`, in the options of `initialize` (`initial`, which may be the settings
/// themselves) and in `didChangeConfiguration`.
#[derive(Clone, Debug, Default)]
pub struct EditorSettings {
    initial: Value,
    changed: Value,
}

impl EditorSettings {
    /// Those of `initializationOptions`.
    pub fn initial(options: Option<Value>) -> Self {
        let initial = match options {
            Some(Value::Object(mut options)) => options.remove("chatls").unwrap_or(Value::Object(options)),
            options => options.unwrap_or_default(),
        };
        Self { initial: object(initial), changed: Value::Null }
    }

    /// Takes in those of `didChangeConfiguration`.
    pub fn change(&mut self, settings: &Value) {
        self.changed = object(settings.get("chatls").cloned().unwrap_or_default());
    }

    /// Those that hold. An empty change says nothing, so what was said at first holds: Emacs sends one right after
    /// the start.
    pub fn value(&self) -> &Value {
        let says_something = |value: &Value| value.as_object().is_some_and(|object| !object.is_empty());
        [&self.changed, &self.initial].into_iter().find(|value| says_something(value)).unwrap_or(&Value::Null)
    }
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
        assert_eq!(settings.value(), &expected, "{options} then {change}");
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
