//! Turns of a model and of tools: asks the model, writes its answer into the document, runs the
//! calls in it, writes their results, and asks again.
//!
//! A [`TurnHost`] owns the document, in a file or an editor. The document is complete after each
//! step, however the turns end. [`CallRuns`] also runs the calls that users choose.

use std::ops::Range;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::model::{AnswerEnd, ModelAnswer};
use super::user_settings::{ModelServer, ModelSettings};
use super::{Environment, Limits, NotRun, Progress, RunError, RunPermission, ToolHost};
use crate::call::{ToolUse, UseOutcome, UseStatus};
use crate::document::Document;
use crate::features::chat_forms::request::{REQUEST_FORMS, RequestOptions, write_request};
use crate::features::refactorings::outcomes::CallAnchor;
use crate::text::DocumentEdit;

mod calls;
mod place;
mod secrets;
mod writer;

pub use calls::{BegunCall, CallError, CallRuns, RanCall, WrittenCall};
pub use secrets::{AgreedSecrets, FoundSecret};
use writer::AnswerWriter;

/// The owner of the document: a file with a terminal, or an editor.
pub trait TurnHost {
    /// The current document, which others may have changed.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read, for users.
    fn document(&mut self) -> impl Future<Output = Result<Document, String>> + Send;

    /// Applies `edits`, in document offsets and document order, to `document`, which
    /// [`Self::document`] returned last.
    ///
    /// # Errors
    ///
    /// If the document has changed since, or cannot be written.
    fn edit(
        &mut self,
        document: &Document,
        edits: Vec<DocumentEdit>,
    ) -> impl Future<Output = Result<(), EditError>> + Send;

    /// Agrees to send the conversation of `document` to the model, as the request `body`.
    ///
    /// # Errors
    ///
    /// The reason why it is not to be sent, for users.
    fn may_send(
        &mut self,
        document: &Document,
        body: &str,
    ) -> impl Future<Output = Result<(), String>> + Send;

    /// Begins a call, and shows it.
    ///
    /// # Errors
    ///
    /// The reason why it must not run, for example because it is running already.
    fn begin_call(&mut self, call: BegunCall<'_>) -> Result<(), String>;

    /// Ends the current call: its result is in the document, or there is none.
    fn end_call(&mut self) {}

    /// Reports an event to the user.
    fn on_event(&mut self, event: TurnEvent<'_>);
}

/// The reason why an edit was not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The document has changed since; the edit is made again for the new document.
    Changed,
    /// It cannot be written, for this reason.
    Failed(String),
}

/// A step of [`Turns`].
#[derive(Clone, Copy, Debug)]
pub enum TurnEvent<'e> {
    /// The request lacks a part of the conversation: a sentence without a full stop.
    Warning(&'e str),
    /// The text of the answer so far, as written in the document.
    Answering(&'e str),
    /// The answer has ended, and is in the document.
    Answered(&'e ModelAnswer),
    /// The progress of the call, as its server reports it.
    Progress(&'e Progress),
    /// The result of the call.
    Called(&'e UseOutcome),
}

/// The end of turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnsEnd {
    /// The last answer has no calls.
    Answered,
    /// All turns are done. The results of the last calls are in the document.
    AllTurns,
    /// The server truncated an answer, or it is empty.
    CutOff(AnswerEnd),
}

/// The reason why turns ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnsError {
    /// They were cancelled.
    Cancelled,
    /// The document cannot be continued, read or written, for this reason.
    Document(String),
    /// An answer is not written, or not to the end, or its calls are not found any more.
    AnswerUnwritten {
        /// The reason, for users.
        reason: String,
        /// All that has come. A part of it may be in the document.
        text: String,
    },
    /// Calls have no result: this many.
    Pending(usize),
    /// The conversation is not to be sent, for this reason.
    NotSent(String),
    /// The model did not answer, or not completely. The document contains what was received.
    Model(RunError),
    /// A call did not run.
    NotRun {
        /// The line of the call in the document, from 0.
        line: usize,
        /// The reason.
        reason: NotRun,
    },
    /// The result of a call is not written.
    Unwritten {
        /// The line of the call in the document, from 0.
        line: usize,
        /// The reason, for users.
        reason: String,
    },
}

/// The means to take turns.
#[derive(Clone, Copy, Debug)]
pub struct Turns<'t> {
    /// The model.
    pub model: &'t ModelSettings,
    /// The variables of this process.
    pub environment: &'t Environment,
    /// The limits of the model's server.
    pub limits: &'t Limits,
    /// The time between two edits of the document while an answer comes.
    pub between_edits: Duration,
    /// Ends them.
    pub cancellation: &'t CancellationToken,
}

/// Attempts to edit a document that others keep changing.
const ATTEMPTS: usize = 20;

impl Turns<'_> {
    /// Runs the pending calls of the document, then takes up to `count` turns: an answer of the
    /// model, and the calls in it. Ends early with an answer that has no calls, is empty, or was
    /// cut off. Without a `count`, asks for one answer, whose calls stay pending.
    ///
    /// # Errors
    ///
    /// The reason why they ended early.
    pub async fn take(
        &self,
        count: Option<u32>,
        tools: &mut ToolHost,
        user: &mut (impl RunPermission + Send),
        host: &mut (impl TurnHost + Send),
    ) -> Result<TurnsEnd, TurnsError> {
        let Some(count) = count else {
            return Ok(match self.answer(host).await?.0 {
                AnswerEnd::Complete => TurnsEnd::Answered,
                end => TurnsEnd::CutOff(end),
            });
        };
        let document = host.document().await.map_err(TurnsError::Document)?;
        let mut runs = CallRuns { tools, user, host, cancellation: self.cancellation };
        run_calls(&pending_calls(&document, 0..usize::MAX), &mut runs).await?;
        for _ in 0..count {
            let (end, calls) = self.answer(runs.host).await?;
            match end {
                AnswerEnd::Complete if calls.is_empty() => return Ok(TurnsEnd::Answered),
                AnswerEnd::Complete => run_calls(&calls, &mut runs).await?,
                other => return Ok(TurnsEnd::CutOff(other)),
            }
        }
        Ok(TurnsEnd::AllTurns)
    }

    /// Asks for the next message, and writes it into the document while it comes. Also returns the
    /// calls in it.
    ///
    /// # Errors
    ///
    /// If the document cannot be continued, has pending calls, or the model does not answer
    /// completely. The document then contains what was received, without incomplete calls.
    async fn answer(
        &self,
        host: &mut (impl TurnHost + Send),
    ) -> Result<(AnswerEnd, Vec<CallAnchor>), TurnsError> {
        let document = host.document().await.map_err(TurnsError::Document)?;
        let mut writer = AnswerWriter::new(&document)?;
        let body = self.request(&document, host)?;
        tokio::select! {
            biased;
            () = self.cancellation.cancelled() => return Err(TurnsError::Cancelled),
            sent = host.may_send(&document, &body) => sent.map_err(TurnsError::NotSent)?,
        }
        let (asked, answer) = writer.receive(self, body, host).await;
        // Writes what was received, even after an error.
        let calls = writer.finish(&answer, host).await?;
        match asked {
            _ if self.cancellation.is_cancelled() => Err(TurnsError::Cancelled),
            Err(error) => Err(TurnsError::Model(error)),
            Ok(()) => {
                host.on_event(TurnEvent::Answered(&answer));
                let end = match answer.end {
                    Some(AnswerEnd::Complete) | None if answer.is_empty() => AnswerEnd::Empty,
                    end => end.unwrap_or(AnswerEnd::Complete),
                };
                Ok((end, calls))
            }
        }
    }

    /// The body of the request that continues `document`.
    fn request(&self, document: &Document, host: &mut impl TurnHost) -> Result<String, TurnsError> {
        let name = match self.model.server {
            ModelServer::Openai => "openai",
            ModelServer::Anthropic => "anthropic",
        };
        let form = REQUEST_FORMS.iter().find(|form| form.name == name);
        let form = form.ok_or_else(|| TurnsError::Document("there is no such form".to_owned()))?;
        let options = RequestOptions {
            at: None,
            model: Some(self.model.name.clone()),
            max_tokens: self.model.max_tokens,
            stream: true,
        };
        let written = write_request(document, form, &options);
        let written = written.map_err(|error| TurnsError::Document(error.to_string()))?;
        if written.pending > 0 {
            return Err(TurnsError::Pending(written.pending));
        }
        for warning in written.warnings(form, &options) {
            host.on_event(TurnEvent::Warning(&warning));
        }
        Ok(written.text)
    }
}

/// Runs `calls`, in order, and writes their results into the document. Each runs once: not if it
/// was removed, or has a result by then, and not again if its result is removed.
///
/// # Errors
///
/// The reason why a call did not run, or its result could not be written; later ones are not run.
/// A tool that fails is no error.
async fn run_calls<U: RunPermission + Send, H: TurnHost + Send>(
    calls: &[CallAnchor],
    runs: &mut CallRuns<'_, U, H>,
) -> Result<(), TurnsError> {
    for call in calls {
        let RanCall { line, end } = runs.run(call).await;
        let line = line.unwrap_or_default();
        match end {
            Ok(_) | Err(CallError::Changed(_)) => {}
            Err(CallError::Cancelled) => return Err(TurnsError::Cancelled),
            Err(CallError::Document(reason)) => return Err(TurnsError::Document(reason)),
            Err(CallError::NotRun(reason)) => return Err(TurnsError::NotRun { line, reason }),
            Err(CallError::Unwritten { reason, .. }) => return Err(TurnsError::Unwritten { line, reason }),
        }
    }
    Ok(())
}

/// The pending calls of `document` that begin in `range`, in bytes.
fn pending_calls(document: &Document, range: Range<usize>) -> Vec<CallAnchor> {
    let uses = document.tool_uses();
    let is_pending = |tool_use: &ToolUse| {
        tool_use.has_call && tool_use.status == UseStatus::Pending && range.contains(&tool_use.range.start)
    };
    let pending = uses.iter().enumerate().filter(|(_, tool_use)| is_pending(tool_use));
    pending.filter_map(|(index, _)| CallAnchor::of(&uses, index)).collect()
}

/// The reason why an edit fails when others keep changing the document.
const KEEPS_CHANGING: &str = "the document is changed all the time";

#[cfg(test)]
mod tests;
