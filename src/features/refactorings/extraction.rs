//! A batch, or a call that stands alone, moved to a stream log of its own: a link with its label stays.

use std::ops::Range;

use super::super::conversion::{Scope, block_at, has_no_new_error, start_of, wanted};
use super::super::formatting::Edit;
use crate::call::{Batch, label_of_batch};
use crate::convert::{Converted, Loss, convert};
use crate::dialect::stream;
use crate::document::{BlockAt, Document, Language};
use crate::syntax::FenceView;

/// What is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// What the file's name ends in, behind that of the document without its extensions: `.calls-1.jsonl`.
    pub suffix: String,
    /// The log.
    pub log: String,
    /// The label of the link to it.
    pub label: String,
    /// What is lost.
    pub losses: Vec<Loss>,
    /// The bytes of the document that become the link.
    pub range: Range<usize>,
}

impl Extraction {
    /// What moves the batch at the byte `at`; `None` where there is none, parts of it stand elsewhere, or its fence holds more.
    pub fn at(document: &Document, at: usize) -> Option<Self> {
        if document.language() == Language::Stream {
            return None;
        }
        let uses = document.uses();
        let block = block_at(document, &uses, at)?;
        let batch = uses.batches().into_iter().enumerate().find(|(_, batch)| batch.blocks.contains(&block));
        let (number, blocks, scope) = match batch {
            Some((number, batch)) => (number + 1, batch.blocks, Scope::Batch(at)),
            None => (block + 1, block..block + 1, Scope::Call(at)),
        };
        let wanted = wanted(document, &uses, scope)?;
        let parts = wanted.iter().filter_map(|index| uses.uses.get(*index)).flat_map(|it| &it.parts);
        if parts.into_iter().any(|part| !blocks.contains(part)) {
            return None;
        }
        let mut losses = Vec::new();
        let mut log = String::new();
        for tool_use in document.tool_uses_of(&uses, &wanted) {
            let converted = convert(&tool_use, &stream::DIALECT, document.settings())?;
            let Converted { text, losses: lost } = converted;
            let records = text.split('\n').skip(1).filter(|line| !line.starts_with("```"));
            records.for_each(|record| log.extend([record, "\n"]));
            losses.extend(lost);
        }
        losses.sort();
        losses.dedup();
        let (first, last) = (uses.blocks.get(blocks.start)?, uses.blocks.get(blocks.end.checked_sub(1)?)?);
        // The lines of a log go with their fence, if that holds nothing else.
        let outer = |at: &BlockAt<'_>| document.outer_range_of(at);
        let fence_of = |at: &BlockAt<'_>| document.tree().fence(at.segment);
        let (opening, closing) = (fence_of(first), fence_of(last));
        let is_open = |fence: &FenceView, at: &BlockAt<'_>| start_of(fence) == document.range_of(at).start;
        let begins =
            opening.as_ref().is_none_or(|it| is_open(it, first) || it.range.start == outer(first).start);
        let ends = closing.as_ref().is_none_or(|it| is_open(it, last) || it.range.end == outer(last).end);
        if !begins || !ends {
            return None;
        }
        let start = opening.map_or(outer(first).start, |fence| start_of(&fence));
        let text = document.text().slice(start..outer(last).end);
        let end = start + text.trim_end_matches(['\n', '\r']).len();
        let mut moved = Batch::default();
        uses.uses_in(blocks).for_each(|tool_use| moved.add(tool_use.status));
        let label = label_of_batch(moved);
        let extraction =
            Self { suffix: format!(".calls-{number}.jsonl"), log, label, losses, range: start..end };
        let after = document.edited(&[extraction.link("log.jsonl")]);
        let is_gone = after.uses().uses.len() + wanted.len() == uses.uses.len();
        (is_gone && has_no_new_error(document, &after)).then_some(extraction)
    }

    /// The edit that leaves a link to `target`, a URI reference.
    pub fn link(&self, target: &str) -> Edit {
        (self.range.clone(), format!("[{}]({target})", self.label))
    }
}
