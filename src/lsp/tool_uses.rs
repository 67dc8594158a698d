//! `chatls/toolUses`: the tool uses and batches of a document (docs/extensions.md).

use std::ops;

use lsp_types::{Range, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};

use crate::call::Status;
use crate::features::tool_uses::{self as feature, Listed, ListedBatch};
use crate::text::position::client_range_to_bytes;

use super::convert::lsp_range_to_client;
use super::frames::Frame;
use super::message::Answer;
use super::places::lsp_range;
use super::requests::Work;

/// Its name.
pub const METHOD: &str = "chatls/toolUses";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    version: Option<i32>,
    enabled: bool,
    is_transcript: bool,
    counts: Counts,
    tool_uses: Vec<ToolUse>,
    batches: Vec<Batch>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    tool_uses: usize,
    failed: usize,
    pending: usize,
    batches: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolUse {
    tool_name: String,
    label: String,
    status: StatusName,
    dialect: &'static str,
    range: Range,
    selection_range: Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Batch {
    label: String,
    range: Range,
    tool_uses: usize,
    failed: usize,
    pending: usize,
}

/// How a tool use stands, on the wire.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusName {
    /// [`Status::Pending`].
    Pending,
    /// [`Status::Done`].
    Done,
    /// [`Status::Failed`].
    Failed,
}

impl From<feature::Counts> for Counts {
    fn from(feature::Counts { tool_uses, failed, pending, batches }: feature::Counts) -> Self {
        Self { tool_uses, failed, pending, batches }
    }
}

impl From<Status> for StatusName {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Done => Self::Done,
            Status::Failed => Self::Failed,
        }
    }
}

/// The params of `chatls/toolUses`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Params {
    text_document: TextDocumentIdentifier,
    /// The part that is asked for; without one, all.
    #[serde(default)]
    range: Option<Range>,
}

/// The work of `chatls/toolUses`.
pub fn tool_uses(params: Params) -> (Url, Work) {
    let Params { text_document, range } = params;
    let work: Work = Box::new(move |snapshot, pending| {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let part = range.map(|range| client_range_to_bytes(text, lsp_range_to_client(range), encoding));
        let place = |range: &ops::Range<usize>| lsp_range(text, range, encoding);
        let listing = feature::tool_uses(&snapshot.document, &part.unwrap_or(0..text.len()));
        let tool_use = |listed: Listed| ToolUse {
            tool_name: listed.tool_name,
            label: listed.label,
            status: listed.status.into(),
            dialect: listed.dialect,
            range: place(&listed.range),
            selection_range: place(&listed.name),
            batch: listed.batch,
        };
        let batch = |ListedBatch { label, batch, range }: ListedBatch| Batch {
            label,
            range: place(&range),
            tool_uses: batch.uses,
            failed: batch.failed,
            pending: batch.pending,
        };
        let answer = Listing {
            version: snapshot.version,
            enabled: snapshot.document.settings().enabled,
            is_transcript: snapshot.document.is_active(),
            counts: listing.counts.into(),
            tool_uses: listing.tool_uses.into_iter().map(tool_use).collect(),
            batches: listing.batches.into_iter().map(batch).collect(),
        };
        Frame::of(&Answer::new(&pending.id, answer))
    });
    (text_document.uri, work)
}
