//! The transcript of a document: what follows from all of its segments together.
//!
//! Diagnostics are kept up to date with each edit ([`super::links`]); the transcript is for all
//! that people see. Each part is derived once per version, on first demand, in time linear in the
//! number of segments, and all features and commands share it.

use std::sync::{Arc, OnceLock};

use super::Document;
use super::messages::Messages;
use super::paired_uses::{PairedUses, Pairs};
use super::sections::{Section, sections_of};
use crate::never::never;

/// The transcript of one version of a document; each change replaces it.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript(Arc<TranscriptParts>);

#[derive(Debug, Default)]
struct TranscriptParts {
    uses: OnceLock<Pairs>,
    messages: OnceLock<Messages>,
    sections: OnceLock<Vec<Section>>,
}

impl Document {
    /// The paired tool uses, with their batches. Empty unless the document is
    /// [active](Document::is_active).
    pub fn paired_uses(&self) -> PairedUses<'_> {
        never!(self.is_condensed(), "the blocks of condensed lines are not held");
        PairedUses::kept(self, &self.transcript.0.uses)
    }

    /// The messages, with their conversations. Empty unless the document is
    /// [active](Document::is_active).
    pub fn messages(&self) -> &Messages {
        match &self.condensed_uses {
            Some(log) => log.messages(),
            None => self.transcript.0.messages.get_or_init(|| Messages::of(self)),
        }
    }

    /// The sections, in order of their starts. Empty unless the document is
    /// [active](Document::is_active).
    pub fn sections(&self) -> &[Section] {
        self.transcript.0.sections.get_or_init(|| sections_of(self))
    }
}
