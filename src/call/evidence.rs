//! Evidence that a document is a transcript, and not documentation with an example.

use super::{Call, CallPart, SpeakerCounts};

/// The evidence for a transcript in the blocks of a document. Documentation of an API or of a
/// prompt has an example of a call: this is evidence only beside a result, or a line that names a
/// speaker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// True if a block occurs only in transcripts.
    pub is_sure: bool,
    has_call: bool,
    has_result: bool,
}

impl Evidence {
    /// The evidence of one block.
    pub fn of(call: &Call<'_>) -> Self {
        let is_result = call.part == CallPart::Result;
        let (has_call, has_result) = (call.is_example && !is_result, call.is_example && is_result);
        Self { is_sure: call.is_evidence, has_call, has_result }
    }

    /// Adds the evidence of other blocks.
    pub fn add(&mut self, other: Self) {
        self.is_sure |= other.is_sure;
        self.has_call |= other.has_call;
        self.has_result |= other.has_result;
    }

    /// True if the document is a transcript, given its counts of messages.
    pub fn suffices(self, speakers: SpeakerCounts) -> bool {
        self.is_sure || self.has_call && (self.has_result || speakers.has_speaker())
    }
}
