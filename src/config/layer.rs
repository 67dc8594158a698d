//! What one configuration says, a file or the editor: each key, or that it says nothing of it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Payload, Protocol};
use crate::rules::{Code, Severity};

/// One configuration as written.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub enable: Option<bool>,
    /// The configuration that this one adds to.
    pub extends: Option<Written>,
    /// Whether nothing is missing from the configuration above it.
    pub root: Option<bool>,
    pub tools: Option<Vec<Written>>,
    pub protocol: Option<Protocol>,
    pub include: Option<Vec<Written>>,
    pub exclude: Option<Vec<Written>>,
    pub fence_languages: Option<Vec<Written>>,
    pub lint: Lint,
    pub overrides: Vec<Override>,
    pub payload: Option<Payload>,
    pub indent: Option<usize>,
    pub lens_batch: Option<bool>,
    pub lens_pending: Option<bool>,
    pub hint_batch: Option<bool>,
    pub hint_result: Option<bool>,
    pub hint_id: Option<bool>,
    pub turn_user: Option<Vec<Written>>,
    pub turn_assistant: Option<Vec<Written>>,
    pub turn_system: Option<Vec<Written>>,
}

/// Severities by code; `None` is `off`.
pub(super) type Lint = BTreeMap<Code, Option<Severity>>;

/// A string and its place in the configuration.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub text: String,
    pub span: Range<usize>,
}

/// One `[[override]]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Override {
    pub files: Vec<Written>,
    pub lint: Lint,
}
