//! Diagnostic reports for clients that pull, each with an id.
//!
//! An id is a hash of the content, and for an open document also the state of its text and
//! settings. `textDocument/diagnostic` is answered with `unchanged` only if both are equal: editors
//! drop the marks in replaced text, and draw them again only from a full report.

use lsp_types::notification::{Notification as _, PublishDiagnostics as Publish};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::call::fixed_hash;
use crate::lsp::conversions::to_proto::WireDiagnosticArray;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Notification;
use crate::lsp::wire::outbox::DiagnosticTicket;

/// The params of `textDocument/publishDiagnostics`.
#[derive(Serialize)]
struct PublishDiagnostics<'a> {
    uri: &'a str,
    /// Absent for files that the client has not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
    diagnostics: WireDiagnosticArray<'a>,
}

/// The notification with `diagnostics`; `None` if they cannot be serialized, which is logged.
pub fn publish_frame(diagnostics: WireDiagnosticArray<'_>, version: Option<i32>) -> Option<Frame> {
    let params = PublishDiagnostics { uri: diagnostics.view.uri, version, diagnostics };
    let frame = Frame::of(&Notification::new(Publish::METHOD, params));
    frame.inspect_err(|error| tracing::error!(%error, "diagnostics cannot be serialized")).ok()
}

/// A report, ready to be sent.
#[derive(Debug)]
pub struct DiagnosticReport {
    /// Its id.
    id: String,
    /// Its diagnostics.
    items: Box<RawValue>,
}

/// The separator of the hash and the state in an id.
const DASH: char = '-';

impl DiagnosticReport {
    /// The report of `diagnostics`. `state` is the state of an open document.
    ///
    /// # Errors
    ///
    /// The errors of serialization.
    pub fn new(
        diagnostics: &WireDiagnosticArray<'_>,
        state: Option<DiagnosticTicket>,
    ) -> serde_json::Result<Self> {
        let items = to_raw_value(diagnostics)?;
        let hash = fixed_hash(items.get());
        let hash = format!("{hash:016x}");
        let id = state.map_or_else(|| hash.clone(), |DiagnosticTicket(state)| format!("{hash}{DASH}{state}"));
        Ok(Self { id, items })
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.items.get() == "[]"
    }

    /// The report for a client that has the report `previous` of this document.
    pub fn since(&self, previous: Option<&str>) -> ReportSince<'_> {
        let is_same = previous == Some(self.id.as_str());
        self.answer(is_same.then_some(&self.id))
    }

    /// The report for a client that has the report `previous`, for any text. It keeps that id, so
    /// that a request for the document alone distinguishes the states.
    pub fn since_any_text<'a>(&'a self, previous: Option<&'a str>) -> ReportSince<'a> {
        self.answer(previous.filter(|previous| hash_of(previous) == hash_of(&self.id)))
    }

    fn answer<'a>(&'a self, same: Option<&'a str>) -> ReportSince<'a> {
        ReportSince {
            kind: if same.is_some() { "unchanged" } else { "full" },
            result_id: same.unwrap_or(&self.id),
            items: same.is_none().then_some(&self.items),
        }
    }
}

fn hash_of(id: &str) -> &str {
    id.split(DASH).next().unwrap_or_default()
}

/// LSP 3.17, `FullDocumentDiagnosticReport` or `UnchangedDocumentDiagnosticReport`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportSince<'a> {
    kind: &'static str,
    result_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<&'a RawValue>,
}

impl ReportSince<'_> {
    /// True if the client already has it.
    pub fn is_unchanged(&self) -> bool {
        self.items.is_none()
    }
}

/// A report on one of many documents.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceReport<'a> {
    /// The document, as the client spells it.
    pub uri: &'a str,
    /// Its version; `null` for files that the client has not opened.
    pub version: Option<i32>,
    /// The report.
    #[serde(flatten)]
    pub since: ReportSince<'a>,
}
