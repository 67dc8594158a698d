//! The context of a position: the tools called nearby, the ids in use, and incomplete tool uses.
//!
//! Only blocks near the position are examined, independent of the document's length.

use smol_str::SmolStr;

use crate::call::CallPart;
use crate::call::pairing::Pairing;
use crate::dialect::draft::Draft;
use crate::document::{Document, LocatedBlock};
use crate::json;
use crate::never::OrNever;
use crate::registry::Registry;

/// Maximum number of segments with blocks on each side.
const MOST: usize = 1000;

/// Maximum number of tool fences that are parsed again, for data that blocks do not store.
const MOST_READ: usize = 20;

/// Maximum length of a tool fence that is parsed again, in bytes.
const MOST_BYTES: usize = 64 << 10;

/// The blocks near a position.
pub(super) struct NearbyBlocks<'d> {
    document: &'d Document,
    at: usize,
    blocks: Vec<LocatedBlock<'d>>,
    /// The tools that calls at the position may name.
    registry: &'d Registry,
}

/// The records with one id.
#[derive(Default)]
pub(super) struct NearbyUse<'d> {
    pub id: &'d str,
    pub name: Option<&'d str>,
    /// The parts before the position, and all parts.
    before: Vec<CallPart>,
    all: Vec<CallPart>,
}

impl<'d> NearbyBlocks<'d> {
    pub(super) fn new(document: &'d Document, at: usize, registry: &'d Registry) -> Self {
        let mut blocks = document.blocks_near(at, MOST);
        // The block being typed is not part of its context.
        blocks.retain(|block| {
            let range = document.range_of(block);
            at < range.start || range.end < at
        });
        Self { document, at, blocks, registry }
    }

    /// Tool names, the last called first; only known names if a registry is configured.
    pub(super) fn names(&self) -> Vec<SmolStr> {
        let registry = self.registry;
        let is_known = |name: &str| !registry.configured || registry.tools.contains_key(name);
        let before = self.blocks.iter().filter(|block| self.is_before(block)).rev();
        let behind = self.blocks.iter().filter(|block| !self.is_before(block));
        let written = before.chain(behind).filter_map(|block| block.block.name());
        let written = written.filter(|name| !name.is_empty() && is_known(name)).map(SmolStr::new);
        let mut names = Vec::new();
        for name in written.chain(registry.tools.keys().cloned()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// An unused id, similar to the last one before the position.
    pub(super) fn fresh_id(&self) -> String {
        let last =
            self.blocks.iter().filter(|block| self.is_before(block)).rev().find_map(|block| block.block.id());
        let like = last.filter(|id| !id.is_empty() && id.len() < 100);
        self.document.free_id(like.unwrap_or("call_0"))
    }

    /// True if tool fences of this document have ids. If there are no fences yet, a new one gets
    /// all documented fields.
    pub(super) fn writes_ids(&self) -> bool {
        let mut fences = self.fences().peekable();
        fences.peek().is_none() || fences.any(|fence| fence.block.id().is_some())
    }

    /// True if nearby fences have the field `key`, such as a state, which blocks do not store.
    pub(super) fn writes(&self, key: &str) -> bool {
        let is_short = |fence: &&LocatedBlock<'_>| self.document.range_of(fence).len() <= MOST_BYTES;
        let mut fences = self.fences().filter(is_short).take(MOST_READ).peekable();
        fences.peek().is_none() || fences.any(|fence| self.has_key(fence, key))
    }

    /// Tool fences: first the fences before the position, the nearest first.
    fn fences(&self) -> impl Iterator<Item = &LocatedBlock<'d>> {
        let before = self.blocks.iter().rev().filter(|block| self.is_before(block));
        let behind = self.blocks.iter().filter(|block| !self.is_before(block));
        before.chain(behind).filter(|block| block.block.pairing == Pairing::SelfContained)
    }

    fn has_key(&self, fence: &LocatedBlock<'_>, key: &str) -> bool {
        let Some(brace) = fence.block.brace else { return false };
        let is_present =
            self.document.block_positions_at(fence.offset + brace as usize + 1, &mut |position| {
                let Draft::Object(object) = position.draft()? else { return None };
                let text = object.span.of(position.source.text);
                json::parse(text).root(text).map(|root| root.get(key).is_some())
            });
        is_present.unwrap_or_default()
    }

    /// The name of the tool that the records with `id` call.
    pub(super) fn name_of(&self, id: &str) -> Option<&'d str> {
        self.known().into_iter().find(|known| known.id == id)?.name
    }

    /// The tool uses of a log to which a record of `part` can be added here, in order.
    pub(super) fn open(&self, part: CallPart) -> Vec<NearbyUse<'d>> {
        let has = |parts: &[CallPart], wanted: &[CallPart]| parts.iter().any(|part| wanted.contains(part));
        let is_open = |known: &NearbyUse<'_>| match part {
            CallPart::Start => false,
            CallPart::Delta | CallPart::End => {
                has(&known.before, &[CallPart::Start])
                    && !has(&known.before, &[CallPart::End, CallPart::Call, CallPart::Result])
            }
            CallPart::Call | CallPart::Both => {
                // It has no records after the position.
                let is_last = known.all.len() == known.before.len();
                is_last
                    && has(&known.before, &[CallPart::Start])
                    && !has(&known.all, &[CallPart::Call, CallPart::Result])
            }
            CallPart::Result => {
                has(&known.before, &[CallPart::Start, CallPart::Call])
                    && !has(&known.all, &[CallPart::Result])
            }
            CallPart::Notice => has(&known.before, &[CallPart::Call]),
        };
        self.known().into_iter().filter(is_open).collect()
    }

    fn known(&self) -> Vec<NearbyUse<'d>> {
        let mut uses: Vec<NearbyUse<'d>> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for block in self.blocks.iter().filter(|block| block.block.pairing == Pairing::ById) {
            let Some(id) = block.block.id().filter(|id| !id.is_empty()) else { continue };
            let place = *places.entry(id).or_insert_with(|| {
                uses.push(NearbyUse { id, ..NearbyUse::default() });
                uses.len() - 1
            });
            let Some(known) = uses.get_mut(place).never_none() else { continue };
            known.name = known.name.or(block.block.name());
            known.all.push(block.block.part);
            if self.is_before(block) {
                known.before.push(block.block.part);
            }
        }
        uses
    }

    fn is_before(&self, block: &LocatedBlock<'_>) -> bool {
        self.document.range_of(block).start < self.at
    }
}
