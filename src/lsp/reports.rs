//! Sets of diagnostics as clients that ask for them get them: with an id that says whether a set is the one that the
//! client has.
//!
//! The same set has the same id, in every session: it is made of what is sent.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::convert::Diagnostics;

/// A set, ready to be sent.
#[derive(Debug)]
pub struct Report {
    /// Tells it from others.
    pub id: String,
    /// Its diagnostics.
    items: Box<RawValue>,
}

impl Report {
    /// The report of `diagnostics`.
    ///
    /// # Errors
    ///
    /// Those of serializing it.
    pub fn new(diagnostics: &Diagnostics<'_>) -> serde_json::Result<Self> {
        let items = to_raw_value(diagnostics)?;
        let mut hasher = DefaultHasher::new();
        items.get().hash(&mut hasher);
        Ok(Self { id: format!("{:016x}", hasher.finish()), items })
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.items.get() == "[]"
    }

    /// What is sent of it to a client that has the set `previous`.
    pub fn since(&self, previous: Option<&str>) -> Since<'_> {
        let is_same = previous == Some(&self.id);
        Since {
            kind: if is_same { "unchanged" } else { "full" },
            result_id: &self.id,
            items: (!is_same).then_some(&self.items),
        }
    }
}

/// LSP 3.17, `FullDocumentDiagnosticReport` or `UnchangedDocumentDiagnosticReport`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Since<'a> {
    kind: &'static str,
    result_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<&'a RawValue>,
}

impl Since<'_> {
    /// Whether the client has it already.
    pub fn is_unchanged(&self) -> bool {
        self.items.is_none()
    }
}

/// The same, of one of many documents.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceReport<'a> {
    /// The document, as the client spells it.
    pub uri: &'a str,
    /// Its version; `null` for files that the client has not opened.
    pub version: Option<i32>,
    kind: &'static str,
    result_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<&'a RawValue>,
}

impl<'a> WorkspaceReport<'a> {
    /// The report `since` on the document `uri`.
    pub fn new(uri: &'a str, version: Option<i32>, since: Since<'a>) -> Self {
        let Since { kind, result_id, items } = since;
        Self { uri, version, kind, result_id, items }
    }
}
