//! The overview of a document: the data that are derived from all of its segments together.
//!
//! Diagnostics are no part of it ([`crate::checks`]); the overview has everything else that people
//! see. Each part is derived at most once per version, on first demand, in time linear in
//! the number of segments, and all features and commands share it. Most edits keep it and only move
//! its places ([`crate::document::kept_overview`]).

use std::sync::{Arc, Mutex, OnceLock};

use crate::document::messages::Messages;
use crate::document::pairs::Pairs;
use crate::document::sections::Section;
use crate::never::lock;
use crate::text::Splice;

/// The overview of one version of a document; each change replaces it.
#[derive(Clone, Debug, Default)]
pub(super) struct Overview(Arc<OverviewParts>);

#[derive(Debug, Default)]
struct OverviewParts {
    uses: OnceLock<Arc<Pairs>>,
    messages: MovedPart<Messages>,
    sections: MovedPart<Vec<Section>>,
}

impl Overview {
    /// The overview of the next version: with the same pairs if `keeps_pairs`, and with messages
    /// and sections moved by `moved` if they are the same.
    pub fn after(&self, keeps_pairs: bool, moved: Option<Splice>) -> Self {
        let pairs = self.0.uses.get().filter(|_| keeps_pairs);
        let parts = OverviewParts {
            uses: pairs.map(|pairs| OnceLock::from(Arc::clone(pairs))).unwrap_or_default(),
            messages: moved.map(|splice| self.0.messages.after(splice)).unwrap_or_default(),
            sections: moved.map(|splice| self.0.sections.after(splice)).unwrap_or_default(),
        };
        Self(Arc::new(parts))
    }

    /// The pairs, which `make` returns the first time.
    pub fn pairs_or(&self, make: impl FnOnce() -> Pairs) -> &Pairs {
        self.0.uses.get_or_init(|| Arc::new(make()))
    }

    /// The messages, which `make` returns the first time.
    pub fn messages_or(&self, make: impl FnOnce() -> Messages) -> &Messages {
        self.0.messages.get(Messages::move_by, make)
    }

    /// The sections, which `make` returns the first time.
    pub fn sections_or(&self, make: impl FnOnce() -> Vec<Section>) -> &[Section] {
        let move_by = |sections: &mut Vec<Section>, edits: &[Splice]| {
            sections.iter_mut().for_each(|section| section.move_by(edits));
        };
        self.0.sections.get(move_by, make)
    }

    /// The pairs, if they were asked for.
    pub fn pairs(&self) -> Option<&Pairs> {
        self.0.uses.get().map(|pairs| &**pairs)
    }
}

/// A part of an overview that edits may only move. It is made or moved when it is asked for.
#[derive(Debug, Default)]
struct MovedPart<T> {
    now: OnceLock<Arc<T>>,
    /// The part of an earlier version, if it was known there, with the edits since.
    before: Mutex<Option<(Arc<T>, Vec<Splice>)>>,
}

/// Maximum number of pending edits; after more, the part is made anew.
const MOST_EDITS: usize = 16;

impl<T: Clone> MovedPart<T> {
    /// The part in the next version, which `splice` moves.
    fn after(&self, splice: Splice) -> Self {
        let known = self.now.get().map(|part| (Arc::clone(part), Vec::new()));
        let mut before = known.or_else(|| lock(&self.before).clone());
        if let Some((_, edits)) = &mut before {
            edits.push(splice);
        }
        before.take_if(|(_, edits)| edits.len() > MOST_EDITS);
        Self { now: OnceLock::new(), before: Mutex::new(before) }
    }

    /// The part: the part of an earlier version, moved by `shift`, or else a new one from `make`.
    fn get(&self, shift: impl FnOnce(&mut T, &[Splice]), make: impl FnOnce() -> T) -> &T {
        self.now.get_or_init(|| {
            let moved = lock(&self.before).take().map(|(part, edits)| {
                let mut part = Arc::unwrap_or_clone(part);
                shift(&mut part, &edits);
                part
            });
            Arc::new(moved.unwrap_or_else(make))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::document::{Document, Language};
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
        let parts = &document.overview.0;
        let kept = (parts.uses.get().is_some(), lock(&parts.messages.before).is_some());
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
        // Equal calls with one id are one tool use; different calls are not.
        let twice = [LOG, LOG].concat();
        assert_eq!(typed(&twice, Language::Log, "arg"), (false, false));
    }

    #[test]
    fn a_part_that_is_not_asked_for_is_moved_later() {
        let mut document = Document::new(Text::new(MARKDOWN), Language::Markdown, Arc::default());
        let expected = document.sections().len();
        for _ in 0..2 {
            document.paired_uses();
            document.messages();
            let splice =
                Splice { start: MARKDOWN.find("arg").expect("the word") + 1, removed: 0, inserted: 1 };
            document.apply(splice, "x");
        }
        assert!(lock(&document.overview.0.sections.before).is_some());
        let fresh = Document::new(document.text().clone(), Language::Markdown, Arc::default());
        assert_eq!((document.sections().len(), document.sections()), (expected, fresh.sections()));
    }
}
