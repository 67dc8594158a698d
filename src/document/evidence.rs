//! Whether a document is a transcript (formats.md §2): where nothing shows that it is one, it is an ordinary text, and every
//! feature leaves it alone.
//!
//! What shows it is summed in the tree, so that the answer costs nothing and changes with the keystroke that changes it.

use super::{Document, DocumentRole, Language};

impl Document {
    /// Whether it is a transcript: something names it as one, or something in its text is found nowhere else.
    pub fn is_transcript(&self) -> bool {
        let sum = &self.tree.summary().attachment;
        match (self.role, self.language) {
            _ if self.is_assumed => true,
            (DocumentRole::DeltaText, _) => true,
            // A log without a known record is that of another program, whatever its name.
            (DocumentRole::File, Language::Stream) => {
                self.settings.is_named || sum.blocks || sum.delta_text_len > 0
            }
            (DocumentRole::File, Language::Markdown) => {
                self.settings.is_named || sum.evidence || sum.speaker_counts.is_conversation()
            }
        }
    }

    /// A copy to try edits on: as long as the document is a transcript so is the copy, also without what shows it.
    pub fn trial_copy(&self) -> Self {
        Self { is_assumed: self.is_transcript(), ..self.clone() }
    }

    /// A copy that is a transcript whatever its text shows.
    pub fn assume_transcript(&self) -> Self {
        Self { is_assumed: true, ..self.clone() }
    }

    /// Whether features say anything about it: it is a transcript, and the configuration lets it in.
    pub fn is_active(&self) -> bool {
        self.settings.enabled && self.is_transcript()
    }
}
