//! Writes a result into the newest version of the document, as one edit of the client.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::call::UseOutcome;
use crate::document::Document;
use crate::features::refactorings::outcomes::{CallAnchor, outcome_edits};
use crate::lsp::conversions::edits::workspace_edit;
use crate::lsp::peer::PATIENCE;
use crate::lsp::runs::editor_user::shown;
use crate::lsp::snapshot::Snapshot;
use crate::text::abbreviate::cut;

/// The maximum number of edits that are sent, while the user goes on typing.
const MOST_TRIES: u32 = 20;
/// The time until the client's next version is looked at.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);
/// The time in which an edit that was applied arrives as a change: Neovim and others collect
/// changes for a while.
const ARRIVAL: Duration = Duration::from_secs(1);

/// The outcome of writing a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Written,
    /// The document has it already.
    Unchanged,
    /// It is not in the document, with the reason.
    NotWritten(String),
}

/// Writes `outcome` as the result of the call of `anchor`, the tool `tool`. `line` is that of the
/// call.
pub(super) fn write(
    snapshot: &Snapshot,
    tool: &str,
    anchor: &CallAnchor,
    outcome: &UseOutcome,
    line: &mut usize,
) -> Writing {
    let label = format!("Result of {}", shown(&cut(tool, 100)));
    let mut refusal = "the editor did not apply the edit".to_owned();
    for _ in 0..MOST_TRIES {
        let Some(newest) = snapshot.documents.newest(&snapshot.uri) else {
            return Writing::NotWritten("the document was closed".to_owned());
        };
        let uses = newest.document.tool_uses();
        if let Some(tool_use) = anchor.find(&uses).and_then(|index| uses.get(index)) {
            *line = newest.document.text().line_of_byte(tool_use.range.start);
        }
        let edits = match outcome_edits(&newest.document, anchor, outcome) {
            Ok(edits) if edits.is_empty() => return Writing::Unchanged,
            Ok(edits) => edits,
            Err(reason) => return Writing::NotWritten(reason.to_string()),
        };
        if !newest.client.applies_edits {
            return Writing::NotWritten("the editor cannot apply edits".to_owned());
        }
        let after = written_call(&newest.document.edited(&edits), anchor);
        let Ok(edit) = serde_json::to_value(workspace_edit(&newest, edits)) else { break };
        match newest.peer.offer_labelled_edit(&edit, Some(&label), PATIENCE) {
            Ok(answer) if answer.applied => {
                if has_arrived(&newest, anchor, after.as_ref()) {
                    return Writing::Written;
                }
            }
            Ok(answer) => {
                if let Some(reason) = answer.failure_reason {
                    refusal = format!("the editor did not apply the edit: {}", shown(&cut(&reason, 200)));
                }
            }
            Err(error) => return Writing::NotWritten(error.message.into_owned()),
        }
        sleep(BETWEEN_TRIES);
    }
    Writing::NotWritten(refusal)
}

/// True if the edit of `edited`, which the client says it applied, is in a later version, or no
/// later version comes: Neovim says so even if it has dropped an edit of an older version.
fn has_arrived(edited: &Snapshot, anchor: &CallAnchor, after: Option<&CallAnchor>) -> bool {
    let end = Instant::now() + ARRIVAL;
    loop {
        let Some(newest) = edited.documents.newest(&edited.uri) else { return true };
        let has_changed = newest.version != edited.version;
        if has_changed && written_call(&newest.document, anchor).as_ref() == after {
            return true;
        }
        if Instant::now() >= end {
            return !has_changed;
        }
        sleep(BETWEEN_TRIES);
    }
}

/// The call of `anchor` in `document`, with the result that it has there.
fn written_call(document: &Document, anchor: &CallAnchor) -> Option<CallAnchor> {
    let uses = document.tool_uses();
    CallAnchor::of(&uses, anchor.find(&uses)?)
}
