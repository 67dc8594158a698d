//! Reports invalid JSON in transcripts. In editors, this is left to JSON language servers.

use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Language};
use crate::json::{DocumentFault, values_of_document};

/// Reports the first invalid place of the JSON in `document`, if it is a transcript by its content
/// or its name. Comments are accepted, and also several values, which some programs write one per
/// line.
pub(super) fn fault_of(document: &Document) -> Option<Diagnostic> {
    let settings = document.settings();
    let is_checked = document.is_active() || settings.enabled && settings.is_named;
    if document.language() != Language::Json || !is_checked {
        return None;
    }
    let severity = settings.severity(Code::InvalidJson)?;
    let text = document.text().to_string();
    let DocumentFault { at, reason } = values_of_document(&text).err()?;
    let character = text.get(at..)?.chars().next()?;
    let message = format!("{reason}: other programs reject all of it");
    Some(Diagnostic::new(Code::InvalidJson, severity, at..at + character.len_utf8(), message))
}
