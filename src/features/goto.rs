//! Go to definition, declaration and implementation: from a result to its call and back, and from a
//! tool name to its tool.
//!
//! Tools are not declared in documents; callers look them up in the registry.

use std::ops::Range;

use crate::call::pairing::Pairing;
use crate::call::shape::FieldRole;
use crate::call::{Call, CallData, CallPart};
use crate::diagnostic::Code;
use crate::document::delta_text::LogDeltaText;
use crate::document::{Document, LocatedBlock, PairedUse, PairedUses};
use crate::places::call_position::CallPosition;
use crate::places::name_occurrences::{NameOccurrence, NamedItem};
use crate::text::Span;

/// The links of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GotoLinks {
    /// Links to positions in the document.
    Here {
        /// The name at the position; `None` if the whole block is linked.
        origin: Option<Range<usize>>,
        /// The targets, in order; never empty.
        targets: Vec<GotoTarget>,
    },
    /// A link to the documentation of a code.
    Code {
        /// The name at the position.
        origin: Range<usize>,
        /// The code.
        code: Code,
    },
    /// A link to a tool of the registry.
    Tool {
        /// The name at the position.
        origin: Range<usize>,
        /// The tool's name.
        name: String,
    },
}

/// The target of a link, in document offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GotoTarget {
    /// The whole range.
    pub range: Range<usize>,
    /// The part to select, inside `range`.
    pub selection: Range<usize>,
}

/// The definition at `at`: the registry entry of a known tool, the call of a tool use, or the
/// documentation of a code in a suppression comment.
pub fn definition(document: &Document, at: usize) -> Option<GotoLinks> {
    if let Some((origin, code)) = document.suppressed_code_at(at) {
        return Some(GotoLinks::Code { origin, code });
    }
    let mention = document.name_occurrence_at(at).filter(|mention| mention.named == NamedItem::Tool);
    if let Some(mention) = &mention
        && let Some(found) = document.listed_tool(at, mention.text)
    {
        let target = GotoTarget { range: found.range, selection: found.written };
        return Some(GotoLinks::Here { origin: Some(mention.range.clone()), targets: vec![target] });
    }
    if let Some(mention) = mention
        && document.settings().registry.tools.contains_key(mention.text)
    {
        return Some(GotoLinks::Tool { origin: mention.range, name: mention.text.to_owned() });
    }
    declaration(document, at)
}

/// The call of the tool use at `at`.
pub fn declaration(document: &Document, at: usize) -> Option<GotoLinks> {
    links_at(document, at, |scene, tool_use| {
        let parts = || scene.uses.parts(tool_use);
        let call = parts().find(|part| part.block.part.has_call());
        let start = || parts().find(|part| part.block.part == CallPart::Start);
        call.or_else(start).map(|part| scene.target(&part)).into_iter().collect()
    })
}

/// The results of the tool use at `at`.
pub fn implementation(document: &Document, at: usize) -> Option<GotoLinks> {
    links_at(document, at, |scene, tool_use| {
        let has_result =
            |part: &LocatedBlock<'_>| matches!(part.block.part, CallPart::Result | CallPart::Both);
        let results = scene.uses.parts(tool_use).filter(has_result);
        results.map(|part| scene.target_of_result(&part)).collect()
    })
}

/// The tool uses of a document, or of the delta text of a log.
struct UseContext<'d> {
    document: &'d Document,
    delta_text_locations: LogDeltaText<'d>,
    /// The document that `uses` belong to.
    read: &'d Document,
    uses: PairedUses<'d>,
}

fn links_at(
    document: &Document,
    at: usize,
    find: impl Fn(&UseContext<'_>, &PairedUse) -> Vec<GotoTarget>,
) -> Option<GotoLinks> {
    // Most positions are outside of blocks, which is checked cheaply.
    let mention = document.name_occurrence_at(at);
    let is_in_block = mention.is_some()
        || document.call_position_at(at, |_| ()).is_some()
        || document.delta_text().is_some();
    if !is_in_block {
        return None;
    }
    let scenes = std::iter::once(document).chain(document.delta_text());
    let targets = scenes
        .map(|read| UseContext {
            document,
            delta_text_locations: document.delta_text_locations(),
            read,
            uses: read.paired_uses(),
        })
        .find_map(|scene| {
            let targets = find(&scene, scene.use_at(at, mention.as_ref())?);
            (!targets.is_empty()).then_some(targets)
        })?;
    Some(GotoLinks::Here { origin: mention.map(|mention| mention.range), targets })
}

impl<'d> UseContext<'d> {
    /// The tool use with a part that contains `mention`, or without one the byte `at` or that ends
    /// there.
    fn use_at(&self, at: usize, mention: Option<&NameOccurrence<'_>>) -> Option<&PairedUse> {
        let is_at = |part: &LocatedBlock<'_>| match mention {
            Some(mention) => mention.is_in(part, self.is_in_delta_text()),
            None => {
                let range = self.range(part);
                range.start <= at && at <= range.end
            }
        };
        let found = self.uses.blocks().iter().rposition(is_at)?;
        self.uses.uses.get(self.uses.use_of(found)?)
    }

    fn is_in_delta_text(&self) -> bool {
        !std::ptr::eq(self.document, self.read)
    }

    /// Maps `range` of the parsed text to the document.
    fn placed(&self, range: Range<usize>) -> Range<usize> {
        match self.is_in_delta_text() {
            true => self.delta_text_locations.locate(range),
            false => range,
        }
    }

    fn range(&self, part: &LocatedBlock<'_>) -> Range<usize> {
        self.placed(self.read.range_of(part))
    }

    /// The target of a block: its id, or else its tool name, or else its start.
    fn target(&self, part: &LocatedBlock<'_>) -> GotoTarget {
        let name = match part.block.pairing {
            Pairing::ById | Pairing::InConversation => part.block.id_span().or(part.block.name_span()),
            Pairing::SelfContained | Pairing::EarlierCall { .. } => {
                part.block.name_span().or(part.block.id_span())
            }
        };
        let range = self.range(part);
        let written = name.map(|name| self.placed(name.range_at(part.offset)));
        let inside = written.filter(|place| range.start <= place.start && place.end <= range.end);
        GotoTarget { selection: inside.unwrap_or(range.start..range.start), range }
    }

    /// The target of the result in a block.
    fn target_of_result(&self, part: &LocatedBlock<'_>) -> GotoTarget {
        let mut target = self.target(part);
        if part.block.part == CallPart::Both && !self.is_in_delta_text() {
            let whole = self.read.range_of(part);
            self.read.call_positions(part.segment, &mut |position| {
                if position.range.start == whole.start
                    && let Some(place) = place_of_result(position)
                {
                    target = GotoTarget { range: place.clone(), selection: place };
                }
            });
        }
        target
    }
}

/// The range of the result in a block that holds a call and its result.
fn place_of_result(position: &CallPosition<'_>) -> Option<Range<usize>> {
    let call = position.call;
    let written = match (&call.output, call.payload) {
        (Some(CallData::Json(output)), Some(payload)) => Some(output.span().shifted(payload.start)),
        _ => call.output_span.filter(|span| !span.is_empty()).or_else(|| place_of_error(call)),
    };
    written.or(call.state.as_ref().map(|state| state.span)).map(|span| position.range_of(span))
}

fn place_of_error(call: &Call<'_>) -> Option<Span> {
    let key = call.shape?.of_role(FieldRole::Error)?.key;
    let (object, payload) = call.object.zip(call.payload)?;
    Some(object.get(key)?.span().shifted(payload.start))
}

#[cfg(test)]
mod tests;
