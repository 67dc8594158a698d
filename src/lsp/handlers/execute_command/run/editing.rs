//! Edits of the newest version of a document, by the client.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::lsp::conversions::edits::workspace_edit;
use crate::lsp::peer::PATIENCE;
use crate::lsp::runs::editor_user::shown;
use crate::lsp::runs::text_watch::TextWatch;
use crate::lsp::snapshot::Snapshot;
use crate::run::turns::EditError;
use crate::text::{DocumentEdit, Text, cut, shared_prefix};
use serde_json::json;

/// The time until the client's next version is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// The time in which an edit that was applied arrives as a change: Neovim and others collect
/// changes for a while.
const ARRIVAL: Duration = Duration::from_secs(1);

/// Asks the client to apply `edits` of the run `run`, in document offsets, to the version `newest`;
/// `label` names them in its undo list. Waits until the server has a version with the edits, or
/// with later changes by the user; an edit that was undone is not repeated.
///
/// # Errors
///
/// If the client already has another version, rejects the edits, or does not respond: within a time
/// limit, or soon after the run is cancelled.
pub(super) fn apply(
    newest: &Snapshot,
    run: u64,
    edits: Vec<DocumentEdit>,
    label: &str,
) -> Result<(), EditError> {
    if !newest.client.applies_edits {
        return Err(EditError::Failed("the editor cannot apply edits".to_owned()));
    }
    let after = newest.document.edited(&edits).text().clone();
    let edit = json!(workspace_edit(newest, edits));
    let watch = newest.runs.texts.watch(&newest.uri);
    let cancellation = newest.runs.cancellation(run);
    let patience = async move {
        let cancelled = async {
            cancellation.cancelled().await;
            tokio::time::sleep(ARRIVAL).await;
        };
        tokio::select! {
            () = tokio::time::sleep(PATIENCE) => {}
            () = cancelled => {}
        }
    };
    match newest.connection.apply_edit_until(json!({"label": label, "edit": edit}), patience) {
        Ok(answer) if answer.applied => {
            has_arrived(newest, run, &after, &watch).then_some(()).ok_or(EditError::Changed)
        }
        // The client has a version that is on its way.
        Ok(_) if newest.documents.newest(&newest.uri).is_some() && has_changed(newest) => {
            Err(EditError::Changed)
        }
        Ok(answer) => {
            let reason = answer.failure_reason.map(|reason| format!(": {}", shown(&cut(&reason, 200))));
            let reason = reason.unwrap_or_default();
            Err(EditError::Failed(format!("the editor did not apply the edit{reason}")))
        }
        Err(error) => Err(EditError::Failed(error.message.into_owned())),
    }
}

/// True if a later version than `edited` arrives in time.
fn has_changed(edited: &Snapshot) -> bool {
    let end = Instant::now() + ARRIVAL;
    loop {
        match edited.documents.newest(&edited.uri) {
            Some(newest) if newest.version == edited.version && Instant::now() < end => {}
            Some(newest) => return newest.version != edited.version,
            None => return false,
        }
        sleep(BETWEEN_LOOKS);
    }
}

/// True if the edit of the run `run` in `edited`, which the client reports as applied and which
/// results in the text `after`, is or was in a later version. Also true if no different version
/// arrives: then it was undone, or its change is late. Neovim reports edits of outdated versions as
/// applied although it drops them.
fn has_arrived(edited: &Snapshot, run: u64, after: &Text, watch: &TextWatch) -> bool {
    let before = edited.document.text();
    let end = Instant::now() + ARRIVAL;
    loop {
        let Some(newest) = edited.documents.newest(&edited.uri) else { return true };
        if watch.look().iter().any(|text| has_edit(before, after, text)) {
            return true;
        }
        if Instant::now() >= end {
            let is_unchanged = newest.document.text() == before;
            if is_unchanged && newest.version == edited.version {
                edited.runs.edit_is_late(run, &edited.uri, edited.version);
            }
            return is_unchanged;
        }
        sleep(BETWEEN_LOOKS);
    }
}

/// True if `now` is `after`, or was derived from it by another change: on one side of the edit from
/// `before` to `after`, or within it, if most of the edit remains.
fn has_edit(before: &Text, after: &Text, now: &Text) -> bool {
    if after == now {
        return true;
    }
    let [before, after, now] = [before, after, now].map(ToString::to_string);
    let same = |one: &str, other: &str| shared_prefix(one.bytes(), other.bytes());
    let same_at_end = |one: &str, other: &str| shared_prefix(one.bytes().rev(), other.bytes().rev());
    // The edit is in the first bytes of `after`, and in the last ones.
    let first = after.len() - same_at_end(&before, &after);
    let last = after.len() - same(&before, &after);
    let is_beside = same(&after, &now) >= first && same(&before, &now) < first
        || same_at_end(&after, &now) >= last && same_at_end(&before, &now) < last;
    let (made, now) = (new_bytes(&before, &after), new_bytes(&before, &now));
    let kept = shared_prefix(made.iter(), now.iter());
    let (made_rest, now) = (made.get(kept..).unwrap_or_default(), now.get(kept..).unwrap_or_default());
    let kept = kept + shared_prefix(made_rest.iter().rev(), now.iter().rev());
    is_beside || kept * 2 > made.len()
}

/// The bytes of `after` between its common prefix and suffix with `before`.
fn new_bytes<'t>(before: &str, after: &'t str) -> &'t [u8] {
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let start = shared_prefix(before.iter(), after.iter());
    let (before, after) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let end = shared_prefix(before.iter().rev(), after.iter().rev());
    after.get(..after.len() - end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_found_beside_others() {
        let check = |now: &str, expected: bool| {
            let [before, after, now] = ["a b c", "a bxy c", now].map(Text::new);
            assert_eq!(has_edit(&before, &after, &now), expected, "{now}");
        };
        check("a bxy c", true);
        check("zz a bxy c", true);
        check("a bxy c and", true);
        check("a b c", false);
        check("zz a b c", false);
        check("a b c and", false);
        check("a bx c", false);
        // Changed within the edit, by the same message.
        check("a bxZy c", true);
        check("a bxZZy c", true);
        check("a bZ c", false);
        check("a bx c and", false);
    }
}
