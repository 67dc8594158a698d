//! The secrets of a conversation, which the user agrees to send once.

use std::collections::HashSet;

use crate::document::Document;
use crate::rules::secrets::secrets_in;

/// The secrets that the user agreed to send.
#[derive(Debug, Default)]
pub struct AgreedSecrets(HashSet<String>);

/// A secret in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundSecret {
    /// Its kind, such as `a GitHub token`.
    pub kind: &'static str,
    /// Its line, from 0.
    pub line: usize,
}

impl AgreedSecrets {
    /// The secrets of `document` that the user has not agreed to send, each once.
    pub fn not_agreed_in(&self, document: &Document) -> Vec<FoundSecret> {
        let text = document.text().to_string();
        let mut seen = HashSet::new();
        let found = secrets_in(&text).filter_map(|(kind, range)| {
            let secret = text.get(range.clone())?;
            let is_new = !self.0.contains(secret) && seen.insert(secret.to_owned());
            is_new.then(|| FoundSecret { kind, line: document.text().line_of_byte(range.start) })
        });
        found.collect()
    }

    /// The user agrees to send the secrets of `document`.
    pub fn agree(&mut self, document: &Document) {
        let text = document.text().to_string();
        self.0.extend(secrets_in(&text).filter_map(|(_, range)| Some(text.get(range)?.to_owned())));
    }
}
