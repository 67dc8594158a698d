//! The transcript of a document: what follows from all of its segments together.
//!
//! Diagnostics are kept up to date with each edit ([`super::links`]); the transcript is for all
//! that people see. Each part is derived once per version, on first demand, in time linear in the
//! number of segments, and all features and commands share it. Most edits keep it, but for places
//! ([`super::kept_transcript`]).

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::Document;
use super::messages::Messages;
use super::paired_uses::{PairedUses, Pairs};
use super::sections::{Section, sections_of};
use crate::never::never;
use crate::text::Splice;

/// The transcript of one version of a document; each change replaces it.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript(Arc<TranscriptParts>);

#[derive(Debug, Default)]
struct TranscriptParts {
    uses: OnceLock<Arc<Pairs>>,
    messages: OnceLock<Arc<Messages>>,
    sections: OnceLock<Arc<Vec<Section>>>,
    /// Messages and sections of an earlier version that edits have only moved since.
    before: Mutex<MovedParts>,
}

/// Parts of an earlier version, as far as they are known, with the edits since.
#[derive(Clone, Debug, Default)]
struct MovedParts {
    messages: Option<Arc<Messages>>,
    sections: Option<Arc<Vec<Section>>>,
    edits: Vec<Splice>,
}

/// Maximum number of pending edits; at more, places are moved.
const MOST_EDITS: usize = 16;

impl Transcript {
    /// The transcript of the next version: with the same pairs if `keeps_pairs`, and with messages
    /// and sections moved by `moved` if they are the same.
    pub fn after(&self, keeps_pairs: bool, moved: Option<Splice>) -> Self {
        let pairs = self.0.uses.get().filter(|_| keeps_pairs);
        let parts = TranscriptParts {
            uses: pairs.map(|pairs| OnceLock::from(Arc::clone(pairs))).unwrap_or_default(),
            before: moved.map(|splice| Mutex::new(self.moved_by(splice))).unwrap_or_default(),
            ..TranscriptParts::default()
        };
        Self(Arc::new(parts))
    }

    /// The known parts, with `splice` added to the pending edits.
    fn moved_by(&self, splice: Splice) -> MovedParts {
        let (messages, sections) = (self.0.messages.get().cloned(), self.0.sections.get().cloned());
        if messages.is_some() || sections.is_some() {
            return MovedParts { messages, sections, edits: vec![splice] };
        }
        let mut before = self.before().clone();
        before.edits.push(splice);
        if before.edits.len() > MOST_EDITS { MovedParts::default() } else { before }
    }

    fn before(&self) -> MutexGuard<'_, MovedParts> {
        self.0.before.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pairs, if they were asked for.
    pub fn pairs(&self) -> Option<&Pairs> {
        self.0.uses.get().map(|pairs| &**pairs)
    }

    fn messages(&self, document: &Document) -> &Messages {
        self.0.messages.get_or_init(|| {
            let edits = self.before().edits.clone();
            let before = self.before().messages.take().map(Arc::unwrap_or_clone);
            let moved = before.map(|messages| messages.moved(&edits));
            Arc::new(moved.unwrap_or_else(|| Messages::of(document)))
        })
    }

    fn sections(&self, document: &Document) -> &[Section] {
        self.0.sections.get_or_init(|| {
            let edits = self.before().edits.clone();
            let before = self.before().sections.take().map(Arc::unwrap_or_clone);
            let moved = before.map(|mut sections| {
                sections.iter_mut().for_each(|section| section.move_by(&edits));
                sections
            });
            Arc::new(moved.unwrap_or_else(|| sections_of(document)))
        })
    }
}

impl Document {
    /// The paired tool uses, with their batches. Empty unless the document is
    /// [active](Document::is_active).
    pub fn paired_uses(&self) -> PairedUses<'_> {
        never!(self.is_summarized(), "the blocks of summarized lines are not held");
        PairedUses::kept(self, &self.transcript.0.uses)
    }

    /// The messages, with their conversations. Empty unless the document is
    /// [active](Document::is_active).
    pub fn messages(&self) -> &Messages {
        match &self.summarized_uses {
            Some(log) => log.messages(),
            None => self.transcript.messages(self),
        }
    }

    /// The sections, in order of their starts. Empty unless the document is
    /// [active](Document::is_active).
    pub fn sections(&self) -> &[Section] {
        self.transcript.sections(self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::document::Language;
    use crate::text::Text;

    const MARKDOWN: &str = "# User\n\ntext\n\n**Assistant:** here:\n```tool\n{\"toolName\": \"rd\", \"toolCallId\": \"one\", \"input\": {\"p\": \"arg\"}}\n```\n\nlast\n";
    const LOG: &str = "{\"type\": \"user\", \"message\": {\"role\": \"user\", \"content\": \"text\"}}\n\
        {\"type\": \"assistant\", \"message\": {\"role\": \"assistant\", \"content\": [{\"type\": \"tool_use\", \"id\": \"one\", \"name\": \"rd\", \"input\": {\"p\": \"arg\"}}]}}\n\
        {\"type\": \"user\", \"message\": {\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", \"tool_use_id\": \"one\", \"content\": \"last\"}]}}\n";

    /// Types into the first occurrence of `word`; returns whether the pairs were kept, and the
    /// places only moved.
    fn typed(text: &str, language: Language, word: &str) -> (bool, bool) {
        let mut document = Document::new(Text::new(text), language, Arc::default());
        let observed = |document: &Document| {
            let uses = document.paired_uses();
            (uses.uses.clone(), document.messages().clone(), document.sections().to_vec())
        };
        observed(&document);
        let splice = Splice { start: text.find(word).expect("the word") + 1, removed: 0, inserted: 2 };
        document.apply(splice, "xy");
        let parts = &document.transcript.0;
        let kept = (parts.uses.get().is_some(), !document.transcript.before().edits.is_empty());
        let fresh = Document::new(document.text().clone(), language, Arc::default());
        assert_eq!(observed(&document), observed(&fresh), "{word}");
        kept
    }

    #[test]
    fn edits_keep_what_they_do_not_change() {
        for (text, language) in [(MARKDOWN, Language::Markdown), (LOG, Language::Log)] {
            let check =
                |word, expected| assert_eq!(typed(text, language, word), expected, "{word} in {text}");
            check("arg", (true, true));
            check("last", (true, true));
            check("text", (true, language == Language::Markdown));
            check("one", (false, false));
            check("rd", (false, false));
        }
        assert_eq!(typed(MARKDOWN, Language::Markdown, "User"), (false, false));
        assert_eq!(typed(MARKDOWN, Language::Markdown, "here"), (true, false));
        // Equal calls of one id are one tool use, other ones are not.
        let twice = [LOG, LOG].concat();
        assert_eq!(typed(&twice, Language::Log, "arg"), (false, false));
    }
}
