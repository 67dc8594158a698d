//! The sessions of agents on this machine with their titles, folders and numbers of calls.

use std::cell::Cell;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::call::UseCounts;
use crate::checks::SummarizedNeed;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::ordered::ordered;
use crate::sessions::{Session, SessionHead};

/// A session that is listed.
#[derive(Clone, Debug)]
pub struct SessionRow<'s> {
    /// The session.
    pub session: &'s Session,
    /// Its title and folder.
    pub head: SessionHead,
    /// The numbers of its tool uses; `None` if the session cannot be read.
    pub counts: Option<UseCounts>,
}

/// Reads the first sessions of `wanted`, up to `limit`, on all cores; only sessions of `folder`, if
/// it is given.
///
/// # Errors
///
/// A worker that panicked.
pub fn session_rows<'s>(
    wanted: &[&'s Session],
    folder: Option<&Path>,
    limit: usize,
) -> io::Result<Vec<SessionRow<'s>>> {
    let (mut rows, found) = (Vec::new(), Cell::new(0));
    let give = |give: &mut dyn FnMut(&'s Session) -> io::Result<()>| {
        let mut unread = wanted.iter();
        while found.get() < limit
            && let Some(session) = unread.next()
        {
            give(session)?;
        }
        Ok(())
    };
    let take = |row: Option<SessionRow<'s>>| {
        found.set(found.get() + usize::from(row.is_some()));
        rows.extend(row);
        Ok(())
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let weight = |session: &&Session| session.size;
    ordered(workers, give, weight, |session| row_of(session, folder), take)?;
    // Other workers may have read more sessions meanwhile.
    rows.truncate(limit);
    Ok(rows)
}

/// Reads `session`; `None` if it is not of `folder`.
fn row_of<'s>(session: &'s Session, folder: Option<&Path>) -> Option<SessionRow<'s>> {
    let head = session.head();
    let is_inside =
        |folder: &Path| head.folder.as_deref().is_some_and(|it| Path::new(it).starts_with(folder));
    if !folder.is_none_or(is_inside) {
        return None;
    }
    Some(SessionRow { session, head, counts: counts_of(session).ok() })
}

fn counts_of(session: &Session) -> io::Result<UseCounts> {
    let (text, settings) = (session.text_in_parts()?, Settings::default().into());
    let document = Document::summarized_if_long(text, language_of(session), settings, SummarizedNeed::Uses);
    Ok(UseCounts::of(document.use_statuses()))
}

/// The session as a document.
///
/// # Errors
///
/// A file that cannot be read, or is not UTF-8.
pub fn document_of(session: &Session) -> io::Result<Document> {
    Ok(Document::new(session.text()?, language_of(session), Settings::default().into()))
}

fn language_of(session: &Session) -> Language {
    Language::of_name(&session.path.to_string_lossy()).unwrap_or(Language::Json)
}

impl SessionRow<'_> {
    /// The row for programs. All keys are always present; missing values are null.
    pub fn json(&self) -> Value {
        let Self { session, head, counts } = self;
        json!({
            "id": session.id,
            "agent": session.agent.name,
            "path": session.path.to_string_lossy(),
            "folder": head.folder,
            "title": head.title,
            // In UTC.
            "changed": jiff::Timestamp::try_from(session.changed).unwrap_or_default().to_string(),
            "bytes": session.size,
            "calls": counts.map(|counts| counts.uses),
            "failed": counts.map(|counts| counts.failed),
            "pending": counts.map(|counts| counts.pending),
        })
    }
}
