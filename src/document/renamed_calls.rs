//! Finds a call that its message contains again under another id and name: chats of VS Code contain
//! calls both in the requests to the model and as tool invocations.

use std::collections::VecDeque;

use smol_str::SmolStr;

/// The maximum number of calls of a message.
const MOST: usize = 512;
/// The number of letters of a name that are compared.
const LETTERS: usize = 16;
/// Names of tools for the model, and the words of their invocations where these differ.
const RENAMED: [(&str, &str); 3] =
    [("file_search", "findFiles"), ("grep_search", "findTextInFiles"), ("semantic_search", "searchCodebase")];

/// The calls of the last message that were not found under another name yet.
#[derive(Debug, Default)]
pub(super) struct RenamedCalls {
    calls: VecDeque<(usize, SmolStr)>,
    /// The number of the message, once its invocations begin.
    message: Option<usize>,
}

impl RenamedCalls {
    /// Adds a call, which is in the tool use at `index`.
    pub fn add(&mut self, name: &str, index: usize) {
        if self.message.take().is_some() || self.calls.len() == MOST {
            self.calls.clear();
        }
        self.calls.push_back((index, letters_of(name)));
    }

    /// Removes the call in the tool use at `index`, which has another name in `message`.
    pub fn remove(&mut self, index: usize, message: usize) {
        self.begin(message);
        self.calls.retain(|(known, _)| *known != index);
    }

    /// Removes and returns the first call in `message` with a similar name.
    pub fn take(&mut self, name: &str, message: usize) -> Option<usize> {
        self.begin(message);
        let other = RENAMED.iter().find(|(known, _)| *known == name).map_or(name, |(_, other)| other);
        let other = letters_of(other);
        let is_same = |name: &SmolStr| name.starts_with(&*other) || other.starts_with(&**name);
        let at = self.calls.iter().position(|(_, name)| is_same(name))?;
        Some(self.calls.remove(at)?.0)
    }

    /// Begins the invocations of `message`. Calls of earlier messages have none.
    fn begin(&mut self, message: usize) {
        if self.message.replace(message).is_some_and(|before| before != message) {
            self.calls.clear();
        }
    }
}

/// The first letters of a name, without the prefix of the extension.
fn letters_of(name: &str) -> SmolStr {
    let own = name.strip_prefix("copilot_").unwrap_or(name);
    own.chars().filter(char::is_ascii_alphabetic).take(LETTERS).map(|c| c.to_ascii_lowercase()).collect()
}
