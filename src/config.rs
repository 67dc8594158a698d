//! `chatls.toml` and editor settings as data, and what they come to for one document.
//!
//! [`Loader::load`] is the one way in: it finds the configuration that holds for a document, reads it and its
//! registries through [`Files`], and gives [`Settings`] with all that is wrong. The server and the CLI both
//! call it, so that they read it the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::registry::Registry;
use crate::rules::{Code, Severity};

mod complete;
mod discover;
mod globs;
mod keys;
mod layer;
mod load;
mod mend;
mod names;
mod node;
mod schema;
mod selection;
mod sources;
mod trust;

pub use complete::{ConfigItem, ConfigItemKind, config_items, describe_config};
pub use discover::{FILE_NAME, clean};
pub use load::{ConfigLocation, FileDiagnostic, Files, Loaded, Loader, UnmatchedGlob, is_chat_name};
pub use names::{NamedInConfig, name_at};
pub use schema::schema;
pub use selection::{Codes, Selection};
pub use sources::{named_sources, read_error_message};
pub use trust::TrustSettings;

/// What holds for one document, after configuration files, overrides and registries: all that the core
/// needs to know of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether `enable`, `include` and `exclude` let the document in.
    pub enabled: bool,
    /// Whether its file name, its language id or an `include` of the user names the document as a transcript. Documents
    /// that nobody names are transcripts where their text shows it; see [`Document::is_transcript`].
    ///
    /// [`Document::is_transcript`]: crate::document::Document::is_transcript
    pub is_named: bool,
    /// Whether `include` names files that end like this one: folders are searched for them, too.
    pub is_searched_for: bool,
    /// First words of the info strings of tool fences.
    pub fence_languages: Vec<String>,
    /// Which generation of the AI SDK reads the document.
    pub protocol: Protocol,
    /// Configured severities; `None` is `off`. Codes that are not here have their default.
    pub lint: BTreeMap<Code, Option<Severity>>,
    /// The tools that are known.
    pub registry: Arc<Registry>,
    /// How payloads are written.
    pub format: FormatSettings,
    /// Which inlay hints are shown.
    pub hints: HintSettings,
    /// Which code lenses are shown.
    pub lenses: LensSettings,
    /// Who speaks in transcripts.
    pub turns: TurnSettings,
}

/// The `protocol` key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    /// A stream log's layer is told by its keys; all else reads as v5.
    #[default]
    Auto,
    /// AI SDK 4.
    V4,
    /// AI SDK 5.
    V5,
    /// AI SDK 6.
    V6,
    /// AI SDK 7.
    V7,
}

/// The `[format]` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSettings {
    /// How a payload is laid out.
    pub payload: PayloadLayout,
    /// Spaces per level where it is laid out in lines.
    pub indent: usize,
}

/// The `format.payload` key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PayloadLayout {
    /// A line for each member.
    #[default]
    Pretty,
    /// All on one line.
    Compact,
    /// As its author wrote it.
    AsWritten,
}

/// The `[turns]` table: the names that role lines and headings give to those who speak, in whatever case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnSettings {
    /// The person.
    pub user: Vec<String>,
    /// The model.
    pub assistant: Vec<String>,
    /// Who instructs it.
    pub system: Vec<String>,
}

/// The `[hints]` table: which inlay hints are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintSettings {
    /// The label of a batch at the end of its first line.
    pub batch: bool,
    /// The result of a call.
    pub result: bool,
    /// The id that a call without one gets.
    pub id: bool,
}

/// The `[lenses]` table: which code lenses are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LensSettings {
    /// The label of a batch, and its conversion.
    pub batch: bool,
    /// The completion of a pending call.
    pub pending: bool,
}

impl Default for LensSettings {
    fn default() -> Self {
        Self { batch: false, pending: true }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            is_searched_for: false,
            is_named: true,
            fence_languages: vec!["tool".to_owned()],
            protocol: Protocol::Auto,
            lint: BTreeMap::new(),
            registry: Arc::default(),
            format: FormatSettings::default(),
            hints: HintSettings::default(),
            lenses: LensSettings::default(),
            turns: TurnSettings::default(),
        }
    }
}

impl Default for FormatSettings {
    fn default() -> Self {
        Self { payload: PayloadLayout::Pretty, indent: 2 }
    }
}

impl Default for TurnSettings {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            user: names(&["User", "Human", "You"]),
            assistant: names(&["Assistant", "AI", "Agent", "Bot", "ChatGPT", "Claude", "Copilot", "Gemini"]),
            system: names(&["System", "Developer"]),
        }
    }
}

impl Default for HintSettings {
    fn default() -> Self {
        Self { batch: true, result: false, id: false }
    }
}

impl Settings {
    /// How loud `code` is; `None` where it is off.
    pub fn severity(&self, code: Code) -> Option<Severity> {
        self.lint.get(&code).copied().unwrap_or_else(|| code.default_severity())
    }
}
