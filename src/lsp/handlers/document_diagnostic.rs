//! `textDocument/diagnostic`: the diagnostics of an open document, for clients that pull.
//!
//! Diagnostics of an open document are never pushed to such a client. Diagnostics of a
//! configuration file are pushed to every client while the file is not open; reports then do not
//! contain them.

use serde::Deserialize;

use crate::lsp::conversions::diagnostics::{DiagnosticReport, WireDiagnosticArray};
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::message::unserializable;

/// The params of `textDocument/diagnostic`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDiagnosticParams {
    previous_result_id: Option<String>,
}

/// Handles `textDocument/diagnostic`.
pub fn document_diagnostic(params: DocumentDiagnosticParams, request: &ActiveRequest) -> HandlerResult {
    let document = request.is_wanted().then_some(&request.document);
    let diagnostics = WireDiagnosticArray::of(document, request.file.as_deref(), request.view());
    let report = DiagnosticReport::new(&diagnostics, Some(request.state)).map_err(unserializable)?;
    request.respond(report.since(params.previous_result_id.as_deref()))
}
