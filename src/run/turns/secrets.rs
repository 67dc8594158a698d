//! The secrets of a conversation, which the user agrees to send once.

use std::collections::HashSet;

use serde_json::Value;

use crate::document::Document;
use crate::rules::secrets::secrets;
use crate::run::question::for_each_text;

/// The secrets that the user agreed to send.
#[derive(Debug, Default)]
pub struct AgreedSecrets(HashSet<String>);

/// A secret in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundSecret {
    /// Its kind, such as `a GitHub token`.
    pub kind: &'static str,
    /// Its line in the document, from 0; `None` if it has escapes there.
    pub line: Option<usize>,
}

impl AgreedSecrets {
    /// The secrets of `document`, and of the request `body` made from it, that the user has not
    /// agreed to send, each once.
    pub fn not_agreed_in(&self, document: &Document, body: &str) -> Vec<FoundSecret> {
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for_each_secret(document, body, &mut |secret, new| {
            if !self.0.contains(secret) && seen.insert(secret.to_owned()) {
                found.push(new);
            }
        });
        found
    }

    /// The user agrees to send the secrets of `document` and `body`.
    pub fn agree(&mut self, document: &Document, body: &str) {
        for_each_secret(document, body, &mut |secret, _| _ = self.0.insert(secret.to_owned()));
    }
}

/// Calls `on_secret` with each secret of `document`, then with each in a string of `body`.
fn for_each_secret(document: &Document, body: &str, on_secret: &mut dyn FnMut(&str, FoundSecret)) {
    let text = document.text().to_string();
    for secret in secrets(&text) {
        let line = Some(document.text().line_of_byte(secret.range.start));
        on_secret(&secret.token, FoundSecret { kind: secret.description, line });
    }
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    for_each_text(&body, &mut |text| {
        for secret in secrets(text) {
            on_secret(&secret.token, FoundSecret { kind: secret.description, line: None });
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    #[test]
    fn secrets_are_found_in_escapes() {
        let open =
            |text: &str| Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()));
        let token = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let escaped = token.replace('g', "\\u0067");
        let body = format!(r#"{{"messages":[{{"content":"{{\"a\":\"{token}\"}}"}}]}}"#);
        let (plain, hidden) = (open(&format!("\nt {token}\n")), open(&escaped));
        let kind = "a GitHub token";
        let mut agreed = AgreedSecrets::default();
        assert_eq!(agreed.not_agreed_in(&plain, &body), [FoundSecret { kind, line: Some(1) }]);
        assert_eq!(agreed.not_agreed_in(&hidden, &body), [FoundSecret { kind, line: Some(0) }]);
        assert_eq!(agreed.not_agreed_in(&open("a\n"), &body), [FoundSecret { kind, line: None }]);
        let twice = body.replace(token, &token.replace('g', r"\\u0067"));
        assert_eq!(agreed.not_agreed_in(&hidden, &twice), [FoundSecret { kind, line: Some(0) }]);
        agreed.agree(&hidden, &body);
        assert_eq!(agreed.not_agreed_in(&plain, &twice), []);
    }
}
