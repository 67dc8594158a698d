//! One configuration layer (a file or the editor settings) with every key optional.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Settings;
use crate::call::{CallPart, ChatApi};
use crate::diagnostic::{Code, Severity};
use crate::forms::{UserForm, UserTest, UserText};

/// One configuration layer, as written.
#[derive(Default)]
pub(super) struct ConfigLayer {
    /// The keys that change one setting, in order.
    pub changes: Vec<SettingChange>,
    pub enable: Option<bool>,
    /// The configuration that this one extends.
    pub extends: Option<ConfigString>,
    /// True if the configuration is complete on its own, without the one above it.
    pub root: Option<bool>,
    pub tools: Option<Vec<ConfigString>>,
    /// The API of requests; `Some(None)` if they show it.
    pub api: Option<Option<ChatApi>>,
    pub include: Option<Vec<ConfigString>>,
    pub exclude: Option<Vec<ConfigString>>,
    pub lint: SeverityTable,
    pub overrides: Vec<ConfigLayer>,
    /// The documents of an `[[override]]`, which is a layer by itself.
    pub files: Option<Vec<ConfigString>>,
    pub forms: Vec<UserForm>,
    pub texts: Vec<UserText>,
    pub servers: Vec<ServerLayer>,
    pub programs: Vec<ProgramLayer>,
    /// The keys of one of `servers`, which is a layer by itself.
    pub server: ServerLayer,
    /// The keys of one of `run`, which is a layer by itself.
    pub program: ProgramLayer,
    /// The keys of a `[[dialect]]`, which is a layer by itself.
    pub form: FormLayer,
    /// The keys of a `[[text]]`, which is a layer by itself.
    pub text: TextLayer,
}

/// A key with its tables, such as `hints.batch`, and what it does to the settings.
pub(super) type SettingChange = (String, Box<dyn Fn(&mut Settings) + Send + Sync>);

/// The values that may differ by document.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentValues {
    pub lint: SeverityTable,
    pub api: Option<Option<ChatApi>>,
}

impl DocumentValues {
    /// Those of a layer, or of an `[[override]]`.
    pub fn of(layer: &ConfigLayer) -> Self {
        Self { lint: layer.lint.clone(), api: layer.api }
    }

    /// Applies them over `settings`.
    pub fn apply(&self, settings: &mut Settings) {
        settings.lint.extend(&self.lint);
        settings.api = self.api.unwrap_or(settings.api);
    }
}

/// The keys of a `[[dialect]]`, as written.
#[derive(Clone, Debug, Default)]
pub(super) struct FormLayer {
    pub name: Option<ConfigString>,
    pub part: Option<CallPart>,
    pub signature: Option<Signature>,
    pub is_message: Option<bool>,
    pub id: Paths,
    pub tool: Paths,
    pub input: Paths,
    pub output: Paths,
    pub error: Paths,
    pub state: Paths,
    pub failed: Option<Vec<ConfigString>>,
    pub json: Paths,
}

/// The keys of a `[[text]]`, as written.
#[derive(Clone, Debug, Default)]
pub(super) struct TextLayer {
    pub name: Option<ConfigString>,
    pub first: Option<ConfigString>,
    pub part: Option<CallPart>,
    pub input: Option<ConfigString>,
    pub output: Option<ConfigString>,
    pub error: Option<ConfigString>,
    pub languages: Option<Vec<ConfigString>>,
}

/// The keys of one of `servers`, as written.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerLayer {
    pub name: String,
    pub command: Option<Vec<ConfigString>>,
    pub arguments: Option<Vec<ConfigString>>,
    pub variables: VariableTable,
    pub url: Option<ConfigString>,
    pub headers: VariableTable,
    pub listing: Option<ConfigString>,
}

/// The keys of one of `run`, as written.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgramLayer {
    pub name: String,
    pub command: Option<Vec<ConfigString>>,
    pub variables: VariableTable,
    pub description: Option<ConfigString>,
    pub input: Option<ConfigString>,
}

/// Values by name; the range is that of the value.
pub(super) type VariableTable = Vec<(String, ConfigString)>;

/// Paths of members; empty if none are given.
pub(super) type Paths = Vec<ConfigString>;

/// The members that identify an object, by path.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub span: Range<usize>,
    pub tests: Vec<(String, UserTest)>,
}

/// Severities by code; `None` is `off`.
pub(super) type SeverityTable = BTreeMap<Code, Option<Severity>>;

/// A string and its range in the configuration.
#[derive(Clone, Debug)]
pub(super) struct ConfigString {
    pub text: String,
    pub span: Range<usize>,
}
