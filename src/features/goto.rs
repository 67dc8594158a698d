//! Going from a place to another one: from a result to its call and back, and from a tool's name to the tool.
//!
//! A tool is in no document: who asks finds it in its registry.

use std::ops::Range;

use crate::call::shape::FieldRole;
use crate::call::{Call, CallData, CallPart};
use crate::dialect::Pairing;
use crate::document::{
    CallPosition, DeltaTextLocations, Document, LocatedUseBlock, NameOccurrence, NamedItem, PairedUse,
    PairedUses,
};
use crate::rules::Code;
use crate::text::Span;

/// Where it leads from a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GotoLinks {
    /// To places in the document.
    Here {
        /// What leads there: the name at the place; `None` where the whole block does.
        origin: Option<Range<usize>>,
        /// Where to, in order; never empty.
        targets: Vec<GotoTarget>,
    },
    /// To the page of a code.
    Code {
        /// The name at the place.
        origin: Range<usize>,
        /// Which.
        code: Code,
    },
    /// To a tool that a registry knows.
    Tool {
        /// The name at the place.
        origin: Range<usize>,
        /// Which.
        name: String,
    },
}

/// A place in a document to go to, in document offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GotoTarget {
    /// All of it.
    pub range: Range<usize>,
    /// What of it is to be looked at; lies in `range`.
    pub selection: Range<usize>,
}

/// Where what is named at `at` is defined: a tool in its registry, where that knows it, a tool use at its call; what a code
/// is that a comment suppresses.
pub fn definition(document: &Document, at: usize) -> Option<GotoLinks> {
    if let Some((origin, code)) = document.suppressed_code_at(at) {
        return Some(GotoLinks::Code { origin, code });
    }
    if let Some(mention) = document.name_occurrence_at(at).filter(|mention| mention.named == NamedItem::Tool)
        && document.settings().registry.tools.contains_key(mention.text)
    {
        return Some(GotoLinks::Tool { origin: mention.range, name: mention.text.to_owned() });
    }
    declaration(document, at)
}

/// The call of the tool use at `at`.
pub fn declaration(document: &Document, at: usize) -> Option<GotoLinks> {
    links_at(document, at, |scene, tool_use| {
        let call =
            scene.parts(tool_use).find(|part| matches!(part.block.part, CallPart::Call | CallPart::Both));
        let start = || scene.parts(tool_use).find(|part| part.block.part == CallPart::Start);
        call.or_else(start).map(|part| scene.target(&part)).into_iter().collect()
    })
}

/// The results of the tool use at `at`.
pub fn implementation(document: &Document, at: usize) -> Option<GotoLinks> {
    links_at(document, at, |scene, tool_use| {
        let results =
            scene.parts(tool_use).filter(|part| matches!(part.block.part, CallPart::Result | CallPart::Both));
        results.map(|part| scene.target_of_result(&part)).collect()
    })
}

/// The tool uses of a document, or of what its speaker says.
struct UseContext<'d> {
    document: &'d Document,
    delta_text_locations: DeltaTextLocations<'d>,
    /// What `uses` are of.
    read: &'d Document,
    uses: PairedUses<'d>,
}

fn links_at(
    document: &Document,
    at: usize,
    find: impl Fn(&UseContext<'_>, &PairedUse) -> Vec<GotoTarget>,
) -> Option<GotoLinks> {
    // Most places are in no block, which costs little to see.
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
    /// The use with a part that holds the byte `at`, or ends there; of what `mention` is in.
    fn use_at(&self, at: usize, mention: Option<&NameOccurrence<'_>>) -> Option<&PairedUse> {
        let is_at = |part: &LocatedUseBlock<'_>| match mention {
            Some(mention) => mention.is_in(part, self.is_in_delta_text()),
            None => {
                let range = self.range(part);
                range.start <= at && at <= range.end
            }
        };
        let found = self.uses.blocks.iter().rposition(is_at)?;
        self.uses.uses.get(self.uses.use_of.get(found).copied()??)
    }

    fn parts(&self, tool_use: &PairedUse) -> impl Iterator<Item = LocatedUseBlock<'d>> {
        self.uses.parts(tool_use)
    }

    fn is_in_delta_text(&self) -> bool {
        !std::ptr::eq(self.document, self.read)
    }

    /// `range` of what was read, in the document.
    fn placed(&self, range: Range<usize>) -> Range<usize> {
        match self.is_in_delta_text() {
            true => self.delta_text_locations.locate(range),
            false => range,
        }
    }

    fn range(&self, part: &LocatedUseBlock<'_>) -> Range<usize> {
        self.placed(self.read.range_of(part))
    }

    /// A block, by its id, or else by its tool's name.
    fn target(&self, part: &LocatedUseBlock<'_>) -> GotoTarget {
        let name = match part.block.pairing() {
            Pairing::ById => part.block.id().or(part.block.name()),
            Pairing::SelfContained | Pairing::NearestCall { .. } => part.block.name().or(part.block.id()),
        };
        let written = name.map(|name| self.placed(absolute(part, name.span)));
        target(self.range(part), written)
    }

    /// The result that a block holds.
    fn target_of_result(&self, part: &LocatedUseBlock<'_>) -> GotoTarget {
        let mut target = self.target(part);
        if part.block.part == CallPart::Both && !self.is_in_delta_text() {
            let whole = self.read.range_of(part);
            self.read.call_positions(part.segment, &mut |spot| {
                if spot.range.start == whole.start
                    && let Some(place) = place_of_result(spot)
                {
                    target = GotoTarget { range: place.clone(), selection: place };
                }
            });
        }
        target
    }
}

fn absolute(part: &LocatedUseBlock<'_>, span: Span) -> Range<usize> {
    part.offset + span.start as usize..part.offset + span.end as usize
}

/// `selection` where it lies in `range`, else its beginning.
fn target(range: Range<usize>, selection: Option<Range<usize>>) -> GotoTarget {
    let inside = selection.filter(|place| range.start <= place.start && place.end <= range.end);
    GotoTarget { selection: inside.unwrap_or(range.start..range.start), range }
}

/// Where a block that holds a call and its result has the result.
fn place_of_result(spot: &CallPosition<'_>) -> Option<Range<usize>> {
    let call = spot.call;
    let written = match (&call.output, call.payload) {
        (Some(CallData::Json(output)), Some(payload)) => Some(output.span().shifted(payload.start)),
        _ => call.output_span.filter(|span| !span.is_empty()).or_else(|| place_of_error(call)),
    };
    written.or(call.state.as_ref().map(|state| state.span)).map(|span| spot.range_of(span))
}

fn place_of_error(call: &Call<'_>) -> Option<Span> {
    let key = call.shape?.slot(FieldRole::Error)?.key;
    let (object, payload) = call.object.zip(call.payload)?;
    Some(object.get(key)?.span().shifted(payload.start))
}

#[cfg(test)]
mod tests;
