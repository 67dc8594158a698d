//! `textDocument/foldingRange`, and `chatls/foldingRanges`: the folds of a part of a document (docs/extensions.md).

use std::ops;

use lsp_types::{FoldingRangeParams, Range, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};

use crate::features::folding::{folding_ranges, folding_ranges_in};

use crate::lsp::conversions::to_proto::FoldingRanges;
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// The name of the request for the folds of a part.
pub const IN_RANGE: &str = "chatls/foldingRanges";

/// The work of `textDocument/foldingRange`.
pub fn folding_range(params: FoldingRangeParams) -> (Url, RequestWork) {
    let work: RequestWork = Box::new(|snapshot, pending| {
        let mut folds = folding_ranges(&snapshot.document, snapshot.client.folding);
        if !pending.is_wanted() {
            folds.clear();
        }
        Frame::of(&Answer::new(&pending.id, FoldingRanges { folds: &folds, client: snapshot.client }))
    });
    (params.text_document.uri, work)
}

/// The params of [`IN_RANGE`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoldingRangesInParams {
    text_document: TextDocumentIdentifier,
    /// The part; the whole document where it is left out.
    #[serde(default)]
    range: Option<Range>,
}

impl FoldingRangesInParams {
    fn lines(&self) -> ops::Range<usize> {
        let line = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
        self.range
            .map_or(0..usize::MAX, |range| line(range.start.line)..line(range.end.line).saturating_add(1))
    }
}

#[derive(Serialize)]
struct WireFoldPart<'a> {
    version: Option<i32>,
    total: usize,
    ranges: FoldingRanges<'a>,
}

/// The work of [`IN_RANGE`].
pub fn in_range(params: FoldingRangesInParams) -> (Url, RequestWork) {
    let lines = params.lines();
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let found = folding_ranges_in(&snapshot.document, lines);
        let ranges = FoldingRanges { folds: &found.folds, client: snapshot.client };
        Frame::of(&Answer::new(
            &pending.id,
            WireFoldPart { version: snapshot.version, total: found.total, ranges },
        ))
    });
    (params.text_document.uri, work)
}
