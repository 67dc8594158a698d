//! Writes an answer at the end of its document while it comes.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::place::{AnswerPlace, edit_of};
use super::{ATTEMPTS, EditError, KEEPS_CHANGING, TurnEvent, TurnHost, Turns, TurnsError, pending_calls};
use crate::document::Document;
use crate::features::continuation::{Continuation, ContinuationPart};
use crate::features::formatting::ReplaceEdit;
use crate::features::refactorings::outcomes::CallAnchor;
use crate::run::RunError;
use crate::run::model::{AnswerPart, ModelAnswer, ask};

/// The time in which parts of the answer are collected before they are shown.
const BETWEEN_SHOWS: Duration = Duration::from_millis(50);
/// The time between two looks at the document while nothing comes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// The bytes before the answer that show whether the end of the document is still the same.
const MOST_BEFORE: usize = 256;

/// The writer of one answer.
pub(super) struct AnswerWriter {
    continuation: Continuation,
    /// The document before the answer.
    before: String,
    /// The text of the answer that was written last, with white space around it.
    written: String,
    /// The place of the answer, once a part of it is written.
    place: Option<AnswerPlace>,
    /// The reason why the answer is not written any more.
    failure: Option<WriteFailure>,
}

/// The reason why an answer is not written any more.
#[derive(Clone, Debug)]
enum WriteFailure {
    /// The document cannot be read any more, such as one that was closed: its text may be lost.
    NoDocument(String),
    /// It cannot be written, or the answer was changed.
    NoPlace(String),
}

impl AnswerWriter {
    pub fn new(document: &Document) -> Result<Self, TurnsError> {
        let continuation =
            Continuation::of(document).map_err(|error| TurnsError::Document(error.to_string()))?;
        let before = document.text().to_string();
        Ok(Self { continuation, before, written: String::new(), place: None, failure: None })
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
        let newest = || answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
                    Err(_) if due.is_none() => self.look(host).await,
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

    /// Writes all that has come. Returns the pending calls in the answer.
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
        match self.failure {
            Some(WriteFailure::NoDocument(reason)) => {
                Err(TurnsError::AnswerUnwritten { reason, text: text.trim_start().to_owned() })
            }
            Some(WriteFailure::NoPlace(reason)) => {
                let same = self.written.char_indices().zip(text.chars()).find(|((_, old), new)| old != new);
                let same = same.map_or(self.written.len().min(text.len()), |((at, _), _)| at);
                let text = text.get(same..).unwrap_or_default();
                let text = if same == 0 { text.trim_start() } else { text };
                Err(TurnsError::AnswerUnwritten { reason, text: text.to_owned() })
            }
            None => {
                let Some(place) = self.place else { return Ok(Vec::new()) };
                let document = host.document().await.map_err(TurnsError::Document)?;
                let range = place.find(&document.text().to_string());
                Ok(range.map(|range| pending_calls(&document, range.start)).unwrap_or_default())
            }
        }
    }

    fn text(&self, answer: &ModelAnswer, is_complete: bool) -> String {
        let parts: Vec<_> = answer.ready_parts().into_iter().map(part).collect();
        self.continuation.text(&parts, is_complete)
    }

    /// Looks whether the answer can still be written.
    async fn look(&mut self, host: &mut impl TurnHost) {
        match (host.document().await, &self.place) {
            (Err(reason), _) => self.failure = Some(WriteFailure::NoDocument(reason)),
            (Ok(document), Some(place)) if place.find(&document.text().to_string()).is_none() => {
                self.failure = Some(WriteFailure::NoPlace(CHANGED.to_owned()));
            }
            (Ok(_), _) => {}
        }
    }

    /// Makes the answer in the document that of `answer`, unless that has failed before.
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
    ) -> Result<(), WriteFailure> {
        for _ in 0..ATTEMPTS {
            let document = host.document().await.map_err(WriteFailure::NoDocument)?;
            let now = document.text().to_string();
            let edit = match &self.place {
                Some(place) => {
                    let range = place.find(&now);
                    range.and_then(|range| {
                        let text = self.text(answer, is_complete);
                        Some((range.start, edit_of(&now, range, text.trim())?, text))
                    })
                }
                None => self.first_edit(&document, &now, answer, is_complete),
            };
            let (start, edit, text) = edit.ok_or_else(|| WriteFailure::NoPlace(CHANGED.to_owned()))?;
            let range = start..edit.0.start + edit.1.trim_end().len();
            let after = document.edited(std::slice::from_ref(&edit)).text().to_string();
            match host.edit(&document, vec![edit]).await {
                Ok(()) => {
                    (self.place, self.written) = (Some(AnswerPlace { text: after, range }), text);
                    return Ok(());
                }
                Err(EditError::Changed) => {}
                Err(EditError::Failed(reason)) => return Err(WriteFailure::NoPlace(reason)),
            }
        }
        Err(WriteFailure::NoPlace(KEEPS_CHANGING.to_owned()))
    }

    /// The start of the answer, the edit that writes it at the end of `document`, whose text is
    /// `now`, and its text; `None` if the document does not end as the one that was continued, or
    /// with what was added to that.
    fn first_edit(
        &mut self,
        document: &Document,
        now: &str,
        answer: &ModelAnswer,
        is_complete: bool,
    ) -> Option<(usize, ReplaceEdit, String)> {
        if now != self.before {
            let before = self.before.trim_end();
            let from = before.len().saturating_sub(MOST_BEFORE);
            let from = (from..before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(from);
            let is_same = now.starts_with(before) || now.trim_end().ends_with(before.get(from..)?);
            self.continuation = Continuation::of(document).ok().filter(|_| is_same)?;
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
