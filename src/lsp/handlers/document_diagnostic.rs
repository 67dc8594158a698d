//! `textDocument/diagnostic`: the diagnostics of an open document, for clients that pull.
//!
//! Diagnostics of an open document are never pushed to such a client. Diagnostics of a
//! configuration file are pushed to every client while the file is not open; reports then do not
//! contain them.

use serde::Deserialize;

use crate::lsp::conversions::diagnostic_reports::DiagnosticReport;
use crate::lsp::conversions::to_proto::WireDiagnosticArray;
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// The params of `textDocument/diagnostic`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDiagnosticParams {
    previous_result_id: Option<String>,
}

/// Handles `textDocument/diagnostic`.
pub fn document_diagnostic(params: DocumentDiagnosticParams, request: &ActiveRequest) -> HandlerResult {
    let DocumentDiagnosticParams { previous_result_id, .. } = params;
    let document = request.is_wanted().then_some(&request.document);
    let problems = document.map(|it| it.diagnostics()).unwrap_or_default();
    let parts = crate::lsp::conversions::to_proto::parts(document, &problems, request.file.as_deref());
    let report =
        DiagnosticReport::new(&WireDiagnosticArray { parts, view: request.view() }, Some(request.state))?;
    request.respond(report.since(previous_result_id.as_deref()))
}
