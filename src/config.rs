//! `chatls.toml` and editor settings as data, and the resulting settings of one document.
//!
//! [`Loader::load`] is the only entry point: it finds the configuration of a document, reads it and
//! its registries through [`Files`], and returns [`Settings`] with all diagnostics. The server and
//! the CLI both use it, so that they read configurations alike.

pub mod fixes;
pub mod template;

use crate::call::RoleNames;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::call::ChatApi;
use crate::diagnostic::{Code, Severity};
use crate::forms::{FormTable, OwnText};
use crate::registry::Registry;

mod compare_rules;
mod complete;
mod discover;
mod files;
mod globs;
mod keys;
mod layer;
mod load;
mod names;
mod node;
mod other_clients;
mod redaction;
mod run_settings;
mod schema;
mod selection;
mod sizes;
mod sources;
mod table;
mod transcript_names;
mod trust;
mod values;

pub use compare_rules::{CompareRules, CompareSettings, ValuePattern};
pub use complete::{ConfigItem, ConfigItemKind, config_items, describe_config};
pub use discover::{FILE_NAME, clean};
pub use files::{FileDiagnostic, Files};
pub use globs::{HiddenNames, relative_glob, why_unmatchable};
#[cfg(not(target_family = "wasm"))]
pub(crate) use keys::{PAYLOADS, PROTOCOLS};
pub use load::{ConfigLocation, Loaded, Loader, UnmatchedGlob};
pub use names::{NamedInConfig, name_at};
pub use redaction::RedactSettings;
pub use run_settings::{
    AddressSettings, CommandSettings, ProgramSettings, RunSettings, ServerSettings, ServerStart,
    UnusableServer,
};
pub use schema::schema;
pub use selection::{Codes, Selection};
pub use sizes::Sizes;
pub use sources::{named_sources, read_error_message};
pub use transcript_names::{EXTENSIONS, is_chat_name, is_transcript};
pub use trust::{ListingPlaces, TrustSettings};

/// The settings of one document, resolved from configuration files, overrides and registries.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// True if `enable`, `include` and `exclude` select the document.
    pub enabled: bool,
    /// True if `enable` is false, which also holds for documents that are given by name.
    pub is_off: bool,
    /// True if the file name, the language id or an `include` of the user declares the document as
    /// a transcript. Other documents are transcripts if their text shows it; see
    /// [`Document::is_transcript`].
    ///
    /// [`Document::is_transcript`]: crate::document::Document::is_transcript
    pub is_named: bool,
    /// True if `include` names files with this ending: then folders are searched for them, too.
    pub is_searched_for: bool,
    /// True if a configuration file or an `include` of the editor applies: then editors report on
    /// documents that are not open, too.
    pub is_configured: bool,
    /// The hidden files and folders that `include` names.
    pub hidden_names: HiddenNames,
    /// The words that mark tool fences, as first words of their info strings.
    pub fence_languages: Vec<String>,
    /// The generation of the AI SDK that reads the document.
    pub protocol: Protocol,
    /// The API whose rules apply to requests that do not show theirs; `None` if unknown.
    pub api: Option<ChatApi>,
    /// Configured severities; `None` is `off`. Other codes have their default.
    pub lint: BTreeMap<Code, Option<Severity>>,
    /// The known tools.
    pub registry: Arc<Registry>,
    /// The format of payloads.
    pub format: FormatSettings,
    /// The enabled inlay hints.
    pub hints: HintSettings,
    /// The enabled code lenses.
    pub lenses: LensSettings,
    /// The names of roles in transcripts.
    pub turns: RoleNames,
    /// The forms of objects in message logs.
    pub forms: Arc<FormTable>,
    /// The forms of text that the configuration describes.
    pub texts: Vec<OwnText>,
    /// The servers and programs that can run tools.
    pub run: Arc<RunSettings>,
    /// The rules for comparing recorded results with new ones.
    pub compare: Arc<CompareSettings>,
    /// The patterns and exceptions of redacted copies.
    pub redact: Arc<RedactSettings>,
    /// The sizes at which the document is read in another way.
    pub sizes: Sizes,
}

/// The `protocol` key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    /// Detected by the keys of a stream log; all other dialects read as v5.
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
    /// The layout of a payload.
    pub payload: PayloadLayout,
    /// Spaces per level of a multi-line layout.
    pub indent: usize,
}

/// The `format.payload` key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PayloadLayout {
    /// One line per member.
    #[default]
    Pretty,
    /// Everything on one line.
    Compact,
    /// Unchanged.
    AsWritten,
}

/// The `[hints]` table: the enabled inlay hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintSettings {
    /// The label of a batch at the end of its first line.
    pub batch: bool,
    /// The result of a call.
    pub result: bool,
    /// The id that a call without one gets.
    pub id: bool,
}

/// The `[lenses]` table: the enabled code lenses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LensSettings {
    /// The label of a batch, and its conversion.
    pub batch: bool,
    /// The completion of a pending call.
    pub pending: bool,
    /// The run of a pending call, and of all of a batch.
    pub run: bool,
}

impl Default for LensSettings {
    fn default() -> Self {
        Self { batch: false, pending: true, run: true }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enabled: true,
            is_off: false,
            is_searched_for: false,
            is_configured: false,
            hidden_names: HiddenNames::default(),
            is_named: true,
            fence_languages: vec!["tool".to_owned()],
            protocol: Protocol::Auto,
            api: None,
            lint: BTreeMap::new(),
            registry: Arc::default(),
            format: FormatSettings::default(),
            hints: HintSettings::default(),
            lenses: LensSettings::default(),
            turns: RoleNames::default(),
            forms: Arc::clone(FormTable::built_in()),
            texts: Vec::new(),
            run: Arc::default(),
            compare: Arc::default(),
            redact: Arc::default(),
            sizes: Sizes::default(),
        }
    }
}

impl Default for FormatSettings {
    fn default() -> Self {
        Self { payload: PayloadLayout::Pretty, indent: 2 }
    }
}

impl Default for HintSettings {
    fn default() -> Self {
        Self { batch: true, result: false, id: false }
    }
}

impl Settings {
    /// The severity of `code`; `None` if it is off.
    pub fn severity(&self, code: Code) -> Option<Severity> {
        self.lint.get(&code).copied().unwrap_or_else(|| code.default_severity())
    }
}
