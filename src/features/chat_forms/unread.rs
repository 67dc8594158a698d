//! The texts of conversations that are not read: texts of traces and recorded requests in strings
//! of JSON and under flat keys, and versions of messages that the user replaced.

use std::collections::HashSet;
use std::ops::Range;

use crate::document::{Document, Language};
use crate::forms::built_in::traces::{MESSAGES, OBSERVED, STRINGS};
use crate::forms::form::at;
use crate::json::{self, Value};
use crate::messages::content::role_of;
use crate::syntax;

/// Maximum number of containers around a text.
const MOST_AROUND: usize = 32;
/// The beginning and the end of the flat keys of the texts of OpenInference.
const FLAT: (&str, &str) = ("llm.", ".message.content");
/// The members that hold the text of a message.
const CONTENTS: [&str; 3] = ["content", "parts", "text"];

/// The texts and versions of `document` that are in no conversation.
#[derive(Default)]
pub(super) struct UnreadTexts {
    /// The different texts.
    pub texts: HashSet<String>,
    /// The ranges of the versions of messages that are not selected (LM Studio), in order.
    pub versions: Vec<Range<usize>>,
}

impl UnreadTexts {
    /// Reads the JSON of `document`. `known` are the starts of the objects that were read, in
    /// order; these objects are left out.
    pub fn of(document: &Document, known: &[usize]) -> Self {
        let mut found = Self::default();
        let text = document.text().to_string();
        let lines = match document.language() {
            Language::Markdown | Language::Org => return found,
            Language::Json => std::iter::once(0..text.len()).collect::<Vec<_>>(),
            Language::Log => syntax::log_lines(document.text(), 0).collect(),
        };
        for range in lines {
            let line = text.get(range.clone()).unwrap_or_default();
            let begin = line.find(['{', '[']).unwrap_or(line.len());
            let json = json::parse(line.get(begin..).unwrap_or_default());
            let Some(root) = json.root(line.get(begin..).unwrap_or_default()) else { continue };
            found.add_value(root, (range.start + begin, known), 0);
        }
        found
    }

    /// Adds the texts in `value`, of a text that begins at the offset `start`.
    fn add_value(&mut self, value: Value<'_>, (start, known): (usize, &[usize]), depth: usize) {
        if depth > MOST_AROUND {
            return;
        }
        if !value.is_object() {
            return value.items().for_each(|item| self.add_value(item, (start, known), depth + 1));
        }
        let paths = STRINGS.iter().filter_map(|path| at(value, path));
        let keys = MESSAGES.iter().chain(&OBSERVED).filter_map(|key| value.get(key));
        for string in keys.chain(paths).filter_map(Value::as_str) {
            let json = json::parse(&string);
            json.root(&string).into_iter().for_each(|root| self.add_messages(root, 0));
        }
        self.add_versions(value, start);
        let flat = value.entries().filter(|(key, _)| {
            let key = key.as_str().unwrap_or_default();
            let message = key.strip_suffix(FLAT.1).filter(|key| key.starts_with(FLAT.0));
            let role = message.and_then(|message| value.get(&format!("{message}.message.role"))?.as_str());
            role.is_some_and(|role| role_of(&role).is_some())
        });
        flat.for_each(|(_, text)| self.add_text(text));
        if known.binary_search(&value.span().range_at(start).start).is_err() {
            value.entries().for_each(|(_, member)| self.add_value(member, (start, known), depth + 1));
        }
    }

    /// Adds the texts of the messages in `value`.
    fn add_messages(&mut self, value: Value<'_>, depth: usize) {
        if depth > MOST_AROUND {
            return;
        }
        if !value.is_object() {
            return value.items().for_each(|item| self.add_messages(item, depth + 1));
        }
        if value.get("role").and_then(Value::as_str).is_some_and(|role| role_of(&role).is_some()) {
            for content in CONTENTS.iter().filter_map(|key| value.get(key)) {
                let parts =
                    content.items().filter_map(|part| part.get("text").or_else(|| part.get("content")));
                parts.chain([content]).for_each(|text| self.add_text(text));
            }
            return;
        }
        value.entries().for_each(|(_, member)| self.add_messages(member, depth + 1));
    }

    fn add_text(&mut self, text: Value<'_>) {
        if text.is_text() && !text.is_blank_text() {
            self.texts.insert(text.raw().to_owned());
        }
    }

    fn add_versions(&mut self, message: Value<'_>, start: usize) {
        let selected = message.get("currentlySelected").and_then(|number| number.raw().parse::<usize>().ok());
        let (Some(selected), Some(versions)) = (selected, message.get("versions")) else { return };
        let others = versions.items().enumerate().filter(|(number, _)| *number != selected);
        self.versions.extend(others.map(|(_, version)| version.span().range_at(start)));
    }
}
