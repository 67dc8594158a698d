//! The sessions of coding agents on this machine: their files, ids, titles and folders.
//!
//! Nothing is written. Only the ends of a file are read, except for its text.

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::files::{is_long, open_regular, text_in_parts};
use crate::text::Text;

mod agents;
mod head;
mod opencode;
mod places;

pub use agents::{AGENTS, Agent};
pub use head::SessionHead;
pub use places::Places;

/// The session of an agent: a file.
#[derive(Clone, Debug)]
pub struct Session {
    /// The agent that writes it.
    pub agent: &'static Agent,
    /// The id, which is unique within the agent.
    pub id: String,
    /// The path of the file. Sessions of opencode refer to further files.
    pub path: PathBuf,
    /// The time of the last change.
    pub changed: SystemTime,
    /// The size of the file in bytes.
    pub size: u64,
}

/// The sessions to which a given id may refer.
#[derive(Clone, Debug)]
pub enum NamedSession {
    /// The session with this id, or the only one whose id begins with it.
    One(Session),
    /// Several ids begin with it: the newest first.
    Several(Vec<Session>),
    /// No id begins with it.
    None,
}

/// All sessions in `places`, the newest first. Unreadable folders have none.
pub fn sessions(places: &Places) -> Vec<Session> {
    let mut found: Vec<_> = AGENTS.iter().flat_map(|agent| agents::sessions_of(agent, places)).collect();
    // If a session is in two files, such as an archive, the newer one counts.
    found.sort_by(|a, b| {
        (a.agent.name, &a.id).cmp(&(b.agent.name, &b.id)).then_with(|| b.changed.cmp(&a.changed))
    });
    found.dedup_by(|later, first| later.agent.name == first.agent.name && later.id == first.id);
    found.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.id.cmp(&b.id)));
    found
}

/// The session whose id is `given` or begins with it.
pub fn named(given: &str, places: &Places) -> NamedSession {
    let mut found = sessions(places);
    found.retain(|session| session.id.starts_with(given));
    if found.iter().any(|session| session.id == given) {
        found.retain(|session| session.id == given);
    }
    match found.len() {
        0 => NamedSession::None,
        1 => found.pop().map_or(NamedSession::None, NamedSession::One),
        _ => NamedSession::Several(found),
    }
}

/// True if `given` may be the id of a session, and not the name of a file with an extension.
pub fn may_be_id(given: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    given.len() >= 4 && given.bytes().all(is_part) && given.bytes().any(|byte| byte.is_ascii_digit())
}

impl Session {
    /// The text of the session. One of opencode is assembled from the files of its messages, in the
    /// form of `opencode export`.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is not UTF-8.
    pub fn text(&self) -> io::Result<Text> {
        match opencode::storage_of(self) {
            Some(storage) => opencode::text_of(&self.path, &storage),
            None => Text::read(open_regular(&self.path)?),
        }
    }

    /// Like [`Session::text`], but a long file is read in parts, on demand.
    ///
    /// # Errors
    ///
    /// The errors of [`Session::text`].
    pub fn text_in_parts(&self) -> io::Result<Text> {
        if opencode::storage_of(self).is_some() {
            return self.text();
        }
        let file = open_regular(&self.path)?;
        if is_long(&file)? { text_in_parts(file) } else { Text::read(file) }
    }
}

#[cfg(test)]
mod tests;
