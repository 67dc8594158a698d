//! Detects whether a document is a transcript (formats.md §2). Without evidence it is an ordinary
//! text, and all features ignore it.
//!
//! Evidence is summed up in the tree, so the check is free and always up to date.

use std::path::Path;
use std::sync::Arc;

use crate::call::program::Program;
use crate::config::Settings;
use crate::config::is_transcript;
use crate::dialect::log::DIALECT as MESSAGES;
use crate::document::{Document, DocumentRole, Language};
use crate::forms::FormTable;
use crate::messages::beginning::begins_messages;

/// True if the file at `path` may be a transcript, by its name, by an `include`, or because it is
/// JSON whose `beginning` contains a message or a tool use. Other files are neither read in folders
/// nor sent by editors.
pub fn may_be_transcript(
    path: &Path,
    settings: &Settings,
    beginning: impl Fn(&Path) -> Option<String>,
) -> bool {
    let begins = || beginning(path).is_some_and(|text| begins_messages(&text, &settings.forms));
    is_transcript(path) || settings.is_searched_for || begins()
}

impl Document {
    /// True if the document is a transcript: by name, by configuration, or by content that occurs
    /// only in transcripts.
    pub fn is_transcript(&self) -> bool {
        self.is_assumed || self.has_evidence()
    }

    /// True if the document is a transcript, and not only treated as one.
    pub fn has_evidence(&self) -> bool {
        let sum = &self.tree.summary().attachment;
        match (self.role, self.language) {
            (DocumentRole::DeltaText, _) => true,
            // A log without a known record belongs to another program, whatever its name.
            (DocumentRole::File, Language::Log) => {
                self.settings.is_named
                    || sum.blocks
                    || sum.delta_text_len > 0
                    || sum.speaker_counts.is_conversation()
            }
            (DocumentRole::File, Language::Org) => self.settings.is_named || sum.blocks,
            (DocumentRole::File, Language::Json) => sum.blocks || sum.speaker_counts.is_conversation(),
            (DocumentRole::File, Language::Markdown) => {
                self.settings.is_named
                    || sum.program_lines.shows(Program::Aider)
                    || sum.evidence.suffices(sum.speaker_counts)
                    || sum.speaker_counts.is_conversation()
            }
        }
    }

    /// True if the document is a log of messages, each in a line, or of tool uses in their forms.
    pub fn is_message_log(&self) -> bool {
        let sum = self.tree.summary().attachment;
        let is_first_of_messages = || {
            let first = self.tree.get(self.tree.next_attached(0, |sum| sum.blocks)?)?;
            let block = first.attachment.data().blocks.first();
            Some(block.is_none_or(|block| block.dialect == MESSAGES.index()))
        };
        self.language == Language::Log
            && sum.protocol.is_none()
            && (sum.messages || is_first_of_messages() == Some(true))
    }

    /// True if the first line of a log is a training example without a fault: the other lines are
    /// meant to be examples, too.
    pub fn is_training_set(&self) -> bool {
        self.context().is_training_set()
    }

    /// The number of messages in a JSON document or log, with or without tool uses, in time linear
    /// in the text's length.
    pub fn message_count(&self) -> usize {
        if self.language.is_prose() {
            return 0;
        }
        let whole = || Self::new(self.text.clone(), self.language, Arc::clone(&self.settings));
        let document = if self.is_summarized() { whole() } else { self.clone() };
        document.assume_transcript().messages().first_parts().count()
    }

    /// A copy for testing edits: it stays a transcript if this document is one, even if an edit
    /// removes the evidence.
    pub fn trial_copy(&self) -> Self {
        self.clone().assumed(self.is_transcript())
    }

    /// A copy that treats messages in fences as text. Within a message, such fences quote other
    /// conversations.
    pub fn quoting_messages(&self) -> Self {
        let mut copy = self.clone();
        if self.language == Language::Markdown && self.tree.summary().attachment.messages {
            copy.set_settings(Arc::new(Settings { forms: FormTable::empty(), ..(*self.settings).clone() }));
        }
        copy
    }

    /// A copy that counts as a transcript regardless of its content.
    pub fn assume_transcript(&self) -> Self {
        self.clone().assumed(true)
    }

    /// True if features apply to the document: it is a transcript, and the configuration does not
    /// exclude it.
    pub fn is_active(&self) -> bool {
        self.settings.enabled && self.is_transcript()
    }
}
