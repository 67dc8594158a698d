//! Writes an answer at the end of its document while it comes.

use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::place::{AnswerPlace, edit_of};
use super::{ATTEMPTS, EditError, KEEPS_CHANGING, TurnEvent, TurnHost, Turns, TurnsError, pending_calls};
use crate::document::Document;
use crate::features::continuation::{Continuation, ContinuationPart};
use crate::features::refactorings::outcomes::CallAnchor;
use crate::never::lock;
use crate::run::RunError;
use crate::run::model::{AnswerPart, ModelAnswer, ask};
use crate::text::DocumentEdit;

/// The time in which parts of the answer are collected before they are shown.
const BETWEEN_SHOWS: Duration = Duration::from_millis(50);
/// The interval at which the document is read again while nothing is received.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// The bytes before the answer that show whether the end of the document is still the same.
const MOST_BEFORE: usize = 256;

/// The writer of one answer.
pub(super) struct AnswerWriter {
    continuation: Continuation,
    /// The document before the answer.
    before: String,
    /// The text that `continuation` continues.
    continued: String,
    /// The text of the answer that was written last, with white space around it.
    written: String,
    /// The place of the answer, once a part of it is written.
    place: Option<AnswerPlace>,
    /// The reason why the answer is not written any more.
    failure: Option<String>,
}

/// The document, its text, and the range of the answer in it.
type Found = (Document, String, Option<Range<usize>>);

/// The reason why the answer was not found.
enum LookFailure {
    /// The document cannot be read, for this reason; for example, it was closed.
    NoDocument(String),
    /// The answer was changed.
    Changed,
}

impl LookFailure {
    fn reason(self) -> String {
        match self {
            Self::NoDocument(reason) => reason,
            Self::Changed => CHANGED.to_owned(),
        }
    }
}

impl AnswerWriter {
    pub fn new(document: &Document) -> Result<Self, TurnsError> {
        let continuation =
            Continuation::of(document).map_err(|reason| TurnsError::Document(reason.to_owned()))?;
        let before = document.text().to_string();
        let continued = before.clone();
        Ok(Self { continuation, before, continued, written: String::new(), place: None, failure: None })
    }

    /// Asks the model, and writes the answer from time to time. It is complete after
    /// [`Self::finish`]. Once it cannot be written any more, the connection is closed.
    pub async fn receive(
        &mut self,
        turns: &Turns<'_>,
        body: String,
        host: &mut impl TurnHost,
    ) -> (Result<(), RunError>, ModelAnswer) {
        let answer = Mutex::new(ModelAnswer::default());
        let newest = || lock(&answer).clone();
        let (sender, mut receiver) = watch::channel(());
        let stop = turns.cancellation.child_token();
        let (unread, stopped) = (&answer, stop.clone());
        let asking = async move {
            let on_answer = || sender.send_replace(());
            let Turns { model, environment, limits, .. } = turns;
            ask(model, environment, body, limits, unread, on_answer, stopped.cancelled()).await
        };
        let writing = async {
            // When the next edit may be sent, and when it has to be.
            let (mut next, mut due) = (Instant::now(), None::<Instant>);
            while self.failure.is_none() {
                let until = due.unwrap_or_else(|| Instant::now() + BETWEEN_LOOKS);
                match timeout(until.saturating_duration_since(Instant::now()), receiver.changed()).await {
                    Ok(Err(_)) => return,
                    Ok(Ok(())) => {
                        sleep(BETWEEN_SHOWS).await;
                        receiver.mark_unchanged();
                        host.on_event(TurnEvent::Answering(&self.text(&newest(), false)));
                        due = Some(next);
                    }
                    Err(_) if due.is_none() => {
                        self.failure = self.look(host).await.err().map(LookFailure::reason);
                    }
                    Err(_) => {}
                }
                if due.is_some_and(|due| due <= Instant::now()) {
                    self.write(&newest(), false, host).await;
                    (next, due) = (Instant::now() + turns.between_edits, None);
                }
            }
            stop.cancel();
        };
        let (asked, ()) = tokio::join!(asking, writing);
        let answer = newest();
        (asked, answer)
    }

    /// Writes the whole answer. Returns the pending calls in it.
    ///
    /// # Errors
    ///
    /// [`TurnsError::AnswerUnwritten`].
    pub async fn finish(
        mut self,
        answer: &ModelAnswer,
        host: &mut impl TurnHost,
    ) -> Result<Vec<CallAnchor>, TurnsError> {
        let text = self.text(answer, true);
        host.on_event(TurnEvent::Answering(&text));
        self.write(answer, true, host).await;
        let calls = match self.failure.take() {
            Some(reason) => Err(reason),
            None => self.calls(answer, host).await,
        };
        // Returns the whole answer, because the written part may be lost or undone.
        calls.map_err(|reason| TurnsError::AnswerUnwritten { reason, text: text.trim_start().to_owned() })
    }

    /// The pending calls in the answer, which has been written.
    async fn calls(
        &mut self,
        answer: &ModelAnswer,
        host: &mut impl TurnHost,
    ) -> Result<Vec<CallAnchor>, String> {
        let has_calls = answer.ready_parts().iter().any(|part| matches!(part, AnswerPart::Call(_)));
        match self.look(host).await {
            Ok((document, _, Some(range))) => Ok(pending_calls(&document, range)),
            Ok((_, _, None)) => Ok(Vec::new()),
            // The user may change an answer that has no calls as soon as it is written.
            Err(LookFailure::Changed) if !has_calls => Ok(Vec::new()),
            Err(failure) => Err(failure.reason()),
        }
    }

    fn text(&self, answer: &ModelAnswer, is_complete: bool) -> String {
        let parts: Vec<_> = answer.ready_parts().into_iter().map(part).collect();
        self.continuation.text(&parts, is_complete)
    }

    /// The document, its text, and the range of the answer in it, if a part of it is written. Looks
    /// twice: programs that save a file may empty or remove it for a moment.
    async fn look(&mut self, host: &mut impl TurnHost) -> Result<Found, LookFailure> {
        match self.look_once(host).await {
            Ok(found) => Ok(found),
            Err(_) => {
                sleep(BETWEEN_LOOKS).await;
                self.look_once(host).await
            }
        }
    }

    async fn look_once(&mut self, host: &mut impl TurnHost) -> Result<Found, LookFailure> {
        let document = host.document().await.map_err(LookFailure::NoDocument)?;
        let now = document.text().to_string();
        let Some(place) = &mut self.place else { return Ok((document, now, None)) };
        let range = place.find(&now).ok_or(LookFailure::Changed)?;
        *place = AnswerPlace { text: now.clone(), range: range.clone() };
        Ok((document, now, Some(range)))
    }

    /// Writes `answer` over the answer in the document, unless that has failed before.
    async fn write(&mut self, answer: &ModelAnswer, is_complete: bool, host: &mut impl TurnHost) {
        if self.failure.is_none() && self.written != self.text(answer, is_complete) {
            self.failure = self.try_to_write(answer, is_complete, host).await.err();
        }
    }

    async fn try_to_write(
        &mut self,
        answer: &ModelAnswer,
        is_complete: bool,
        host: &mut impl TurnHost,
    ) -> Result<(), String> {
        let mut is_lost = false;
        for _ in 0..ATTEMPTS {
            let (document, now, range) = self.look(host).await.map_err(LookFailure::reason)?;
            let edit = match range {
                Some(range) => {
                    let text = self.text(answer, is_complete);
                    edit_of(&now, range.clone(), text.trim()).map(|edit| (range.start, edit, text))
                }
                None => self.first_edit(&document, &now, answer, is_complete),
            };
            let Some((start, edit, text)) = edit else {
                // A program that saves the file may empty it for a moment.
                if std::mem::replace(&mut is_lost, true) {
                    return Err(CHANGED.to_owned());
                }
                sleep(BETWEEN_LOOKS).await;
                continue;
            };
            let range = start..edit.0.start + edit.1.trim_end().len();
            let after = document.edited(std::slice::from_ref(&edit)).text().to_string();
            match host.edit(&document, vec![edit]).await {
                Ok(()) => {
                    (self.place, self.written) = (Some(AnswerPlace { text: after, range }), text);
                    return Ok(());
                }
                Err(EditError::Changed) => {}
                Err(EditError::Failed(reason)) => return Err(reason),
            }
        }
        Err(KEEPS_CHANGING.to_owned())
    }

    /// The start of the answer, the edit that appends it to `document`, whose text is `now`, and
    /// its text. `None` if the document ends differently than when it was continued, apart from
    /// appended text.
    fn first_edit(
        &mut self,
        document: &Document,
        now: &str,
        answer: &ModelAnswer,
        is_complete: bool,
    ) -> Option<(usize, DocumentEdit, String)> {
        if now != self.continued {
            let before = self.before.trim_end();
            let from = before.len().saturating_sub(MOST_BEFORE);
            let from = (from..before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(from);
            let is_same = now.starts_with(before) || now.trim_end().ends_with(before.get(from..)?);
            self.continuation = Continuation::of(document).ok().filter(|_| is_same)?;
            now.clone_into(&mut self.continued);
        }
        let text = self.text(answer, is_complete);
        let blank = text.len() - text.trim_start().len();
        Some((now.len() + blank, (now.len()..now.len(), text.clone()), text))
    }
}

/// The reason why an answer is not written any more.
const CHANGED: &str = "it, or the end of the document before it, was changed meanwhile";

/// A part of an answer, to be written.
fn part(part: &AnswerPart) -> ContinuationPart<'_> {
    match part {
        AnswerPart::Text(text) => ContinuationPart::Text(text),
        AnswerPart::Call(call) => {
            ContinuationPart::Call { id: &call.id, name: &call.name, input: &call.input }
        }
    }
}
