//! Reports invalid JSON in transcripts. In editors, this is left to JSON language servers.

use serde::de::IgnoredAny;

use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Language};
use crate::json::error::is_cut_off;

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
    let start = text.len() - text.trim_start_matches('\u{FEFF}').len();
    let json = text.get(start..)?;
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<IgnoredAny>();
    let (at, reason) = match values.next()? {
        Ok(_) => {
            let rest = json.get(values.byte_offset()..)?.trim_start();
            if rest.is_empty() || rest.starts_with(['{', '[']) {
                return None;
            }
            (text.len() - rest.len(), "the document goes on after its JSON".to_owned())
        }
        Err(error) if is_cut_off(json.trim_end(), &error) => {
            (text.trim_end().len() - 1, "the document ends in the middle of its JSON".to_owned())
        }
        Err(error) => {
            let line: usize = json.split_inclusive('\n').take(error.line() - 1).map(str::len).sum();
            let message = error.to_string();
            let words = message.split(" at line ").next().unwrap_or_default();
            let at = start + line + error.column().saturating_sub(1);
            (at, format!("from here on, the document is not JSON ({words})"))
        }
    };
    let at = text.floor_char_boundary(at);
    let character = text.get(at..)?.chars().next().filter(|character| *character != '/')?;
    let message = format!("{reason}: other programs reject all of it");
    Some(Diagnostic::new(Code::InvalidJson, severity, at..at + character.len_utf8(), message))
}
