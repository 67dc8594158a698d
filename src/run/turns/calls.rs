//! Runs a call of the document of a host, and writes its result into it.
//!
//! Others may change the document meanwhile: the call is found again in the newest version before
//! it runs and before its result is written.

use std::sync::Arc;

use super::{ATTEMPTS, EditError, KEEPS_CHANGING, TurnEvent, TurnHost};
use crate::call::{ToolUse, UseOutcome};
use crate::features::refactorings::outcomes::{CallAnchor, UnwrittenOutcome, loss_warning, outcome_edits};
use crate::run::{CancellationToken, NotRun, ReadyCall, RunPermission, ToolHost};

/// The means to run calls of a document, one after the other.
pub struct CallRuns<'r, U, H> {
    /// Runs them.
    pub tools: &'r mut ToolHost,
    /// Decides whether they run.
    pub user: &'r mut U,
    /// Has the document.
    pub host: &'r mut H,
    /// Ends them.
    pub cancellation: &'r CancellationToken,
}

/// A call that is about to run.
#[derive(Clone, Copy, Debug)]
pub struct BegunCall<'c> {
    /// The line of the call in the document, from 0.
    pub line: usize,
    /// All tool uses of the document.
    pub uses: &'c [ToolUse],
    /// The index of the call.
    pub index: usize,
    /// The call, with its runner.
    pub call: &'c ReadyCall,
}

/// A call after its run.
#[derive(Clone, Debug, PartialEq)]
pub struct RanCall {
    /// The line in which the call was found last, from 0; `None` if it was not found.
    pub line: Option<usize>,
    /// The end of the run.
    pub end: Result<WrittenCall, CallError>,
}

/// A call whose result is in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenCall {
    /// True if the tool failed.
    pub is_error: bool,
    /// True if the document had the result already.
    pub is_unchanged: bool,
}

/// The reason why the result of a call is not in the document.
#[derive(Clone, Debug, PartialEq)]
pub enum CallError {
    /// It was cancelled.
    Cancelled,
    /// It did not run, because the document cannot be read, for this reason.
    Document(String),
    /// It did not run, because it was changed or removed, or has got another result.
    Changed(UnwrittenOutcome),
    /// It did not run, or not to its end.
    NotRun(NotRun),
    /// It ran, and its result is not written.
    Unwritten {
        /// The result.
        outcome: UseOutcome,
        /// The reason, for users.
        reason: String,
    },
}

impl<U: RunPermission + Send, H: TurnHost + Send> CallRuns<'_, U, H> {
    /// Runs the call of `anchor`, and writes its result at once, so that it stays if a later call
    /// is interrupted. Runs nothing if the call was changed or removed, or has got another result.
    pub async fn run(&mut self, anchor: &CallAnchor) -> RanCall {
        let mut line = None;
        let end = self.run_and_write(anchor, &mut line).await;
        self.host.end_call();
        RanCall { line, end }
    }

    async fn run_and_write(
        &mut self,
        anchor: &CallAnchor,
        line: &mut Option<usize>,
    ) -> Result<WrittenCall, CallError> {
        let Self { tools, user, host, cancellation } = self;
        let impossible = |reason| CallError::NotRun(NotRun::because(reason));
        let document = host.document().await.map_err(CallError::Document)?;
        let uses = document.tool_uses();
        let index = anchor.find_unchanged(&uses).map_err(CallError::Changed)?;
        let start = uses.get(index).map_or(0, |tool_use| tool_use.range.start);
        let begun_line = *line.insert(document.text().line_of_byte(start));
        if cancellation.is_cancelled() {
            return Err(CallError::Cancelled);
        }
        let call = ReadyCall::of(&document, &uses, index).map_err(impossible)?.with_obstacle(&document);
        host.begin_call(BegunCall { line: begun_line, uses: &uses, index, call: &call })
            .map_err(impossible)?;
        // Another run may have written its result since.
        let document = host.document().await.map_err(CallError::Document)?;
        anchor.find_unchanged(&document.tool_uses()).map_err(CallError::Changed)?;
        let run = Arc::clone(&document.settings().run);
        let progress = |progress| host.on_event(TurnEvent::Progress(&progress));
        let ran = tools.run(&call, &run, *user, progress, cancellation.cancelled()).await;
        let outcome = match ran {
            Ok(outcome) => outcome,
            Err(_) if cancellation.is_cancelled() => return Err(CallError::Cancelled),
            Err(reason) => return Err(CallError::NotRun(reason)),
        };
        host.on_event(TurnEvent::Called(&outcome));
        match write_outcome(anchor, &outcome, *host, line).await {
            Ok(is_unchanged) => {
                Ok(WrittenCall { is_error: matches!(outcome, UseOutcome::Error(_)), is_unchanged })
            }
            Err(reason) => Err(CallError::Unwritten { outcome, reason }),
        }
    }
}

/// Writes `outcome` as the result of the call of `anchor` into the document of `host`. Returns
/// whether the document has it already. `line` becomes the line of the call.
///
/// # Errors
///
/// The reason why it is not written, for users; such as that the call was changed meanwhile.
async fn write_outcome(
    anchor: &CallAnchor,
    outcome: &UseOutcome,
    host: &mut impl TurnHost,
    line: &mut Option<usize>,
) -> Result<bool, String> {
    for _ in 0..ATTEMPTS {
        let document = host.document().await?;
        let uses = document.tool_uses();
        if let Some(tool_use) = anchor.find(&uses).and_then(|index| uses.get(index)) {
            *line = Some(document.text().line_of_byte(tool_use.range.start));
        }
        let edits = outcome_edits(&document, anchor, outcome).map_err(|reason| reason.to_string())?;
        if edits.is_empty() {
            return Ok(true);
        }
        let warning = loss_warning(&document.edited(&edits), anchor, outcome);
        match host.edit(&document, edits).await {
            Ok(()) => {
                warning.iter().for_each(|it| host.on_event(TurnEvent::Warning(it)));
                return Ok(false);
            }
            Err(EditError::Changed) => {}
            Err(EditError::Failed(reason)) => return Err(reason),
        }
    }
    Err(KEEPS_CHANGING.to_owned())
}
