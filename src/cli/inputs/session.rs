//! Reads sessions of agents that are given by id, if there is no file of that name.
//!
//! A session is read like standard input: commands that rewrite documents print it, because the
//! file belongs to the agent.

use std::io;
use std::path::Path;

use super::InputJob;
use super::reader::InputReader;
use super::source::{DocumentSource, with_excluded_allowed};
use crate::cli::printable::{printable, slashed};
use crate::sessions::{NamedSession, Places, Session, may_be_id, named};

/// Maximum number of sessions in a message.
const LISTED: usize = 5;

/// The session that `path` names by its id or by the beginning of its id; `None` if `path` is a
/// file or cannot be an id. The error is a message: no session, or several, have that id.
pub(super) fn session_at(path: &Path) -> Option<Result<Session, String>> {
    let given = path.to_str().filter(|given| may_be_id(given))?;
    if path.symlink_metadata().is_ok() {
        return None;
    }
    match named(given, &Places::of_process()) {
        NamedSession::One(session) => Some(Ok(session)),
        NamedSession::Several(sessions) => Some(Err(several(given, &sessions))),
        NamedSession::None => Some(Err(format!(
            "there is no file `{given}`, and no session with this id: `chatls sessions` lists the sessions"
        ))),
    }
}

fn several(given: &str, sessions: &[Session]) -> String {
    let shown = |session: &Session| format!("`{}` ({})", printable(&session.id), session.agent.name);
    let listed: Vec<_> = sessions.iter().take(LISTED).map(shown).collect();
    let more = match sessions.len() - listed.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    format!(
        "`{given}` is the beginning of {} session ids: {}{more}. Write more of the id",
        sessions.len(),
        listed.join(", ")
    )
}

impl InputReader<'_> {
    /// Reads `session`.
    pub(super) fn session(&mut self, session: Session) -> io::Result<()> {
        // `include` and `exclude` are about the files of a project.
        let settings = with_excluded_allowed(self.settings(&session.path)?.settings);
        let source = self.source(slashed(&session.path), DocumentSource::Session(Box::new(session)));
        self.give(InputJob::Document(source, settings))
    }
}
