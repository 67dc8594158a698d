//! `chatls/calls` and `chatls/statistics`: the tool uses of a document as data
//! (docs/extensions.md).

use serde_json::json;

use crate::features::call_records::for_each_record;
use crate::features::statistics::counts::StatsCounts;
use crate::features::statistics::groups::GroupBy;
use crate::features::statistics::json::object;
use crate::features::statistics::report::{Sort, StatsReport};

use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::document_uri::name_of;
use crate::lsp::wire::message::unserializable;

/// Handles `chatls/calls`.
pub fn calls(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let name = name_of(&request.uri);
    let (mut lines, mut written) = (Vec::new(), Ok(()));
    for_each_record(&name, &request.document, &|_| request.is_wanted(), &mut |record| {
        if written.is_ok() {
            written = serde_json::to_writer(&mut lines, &record);
            lines.push(b'\n');
        }
    });
    written.map_err(unserializable)?;
    request.respond(json!({"version": request.version, "lines": String::from_utf8_lossy(&lines)}))
}

/// Handles `chatls/statistics`.
pub fn statistics(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let mut counts = StatsCounts::default();
    let of_document = StatsCounts::of(&request.document, &|_| request.is_wanted(), GroupBy::Tool);
    counts.merge(of_document, &name_of(&request.uri));
    let report = StatsReport::of(&counts, Sort::Calls, usize::MAX);
    request.respond(json!({"version": request.version, "statistics": object(&report)}))
}
