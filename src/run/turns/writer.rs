//! Writes an answer at the end of its document while it comes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::{ATTEMPTS, EditError, KEEPS_CHANGING, TurnEvent, TurnHost, Turns, TurnsError};
use crate::document::Document;
use crate::features::continuation::{Continuation, ContinuationPart};
use crate::features::formatting::ReplaceEdit;
use crate::run::RunError;
use crate::run::model::{AnswerPart, ModelAnswer, ask};

/// The time between two versions of the answer that are shown.
const BETWEEN_SHOWS: Duration = Duration::from_millis(50);
/// The bytes before the answer that show whether the end of the document is still the same.
const MOST_BEFORE: usize = 256;

/// The writer of one answer.
pub(super) struct AnswerWriter {
    continuation: Continuation,
    /// The end of the document before the answer.
    before: Arc<str>,
    /// The text of the answer in the document.
    written: String,
    /// The reason why the answer is not written any more.
    failure: Option<String>,
}

impl AnswerWriter {
    pub fn new(document: &Document) -> Result<Self, TurnsError> {
        let continuation =
            Continuation::of(document).map_err(|error| TurnsError::Document(error.to_string()))?;
        let text = document.text();
        let from = text.floor_boundary(text.len().saturating_sub(MOST_BEFORE));
        let before = text.slice(from..text.len()).into();
        Ok(Self { continuation, before, written: String::new(), failure: None })
    }

    /// Asks the model, and writes the answer from time to time. It is complete after
    /// [`Self::finish`].
    pub async fn receive(
        &mut self,
        turns: &Turns<'_>,
        body: String,
        host: &mut impl TurnHost,
    ) -> (Result<(), RunError>, ModelAnswer) {
        let (sender, mut receiver) = watch::channel(ModelAnswer::default());
        let asking = async move {
            let mut answer = ModelAnswer::default();
            let mut last = Instant::now();
            let on_answer = |answer: &ModelAnswer| {
                if last.elapsed() >= BETWEEN_SHOWS {
                    last = Instant::now();
                    sender.send_replace(answer.clone());
                }
            };
            let Turns { model, environment, limits, cancellation, .. } = turns;
            let cancelled = cancellation.cancelled();
            let asked = ask(model, environment, body, limits, &mut answer, on_answer, cancelled).await;
            (asked, answer)
        };
        let writing = async {
            let mut last = Instant::now();
            while receiver.changed().await.is_ok() {
                let answer = receiver.borrow_and_update().clone();
                let text = self.text(&answer, false);
                host.on_event(TurnEvent::Answering(&text));
                if last.elapsed() >= turns.between_edits {
                    self.write(text, host).await;
                    last = Instant::now();
                }
            }
        };
        tokio::join!(asking, writing).0
    }

    /// Writes all that has come.
    pub async fn finish(mut self, answer: &ModelAnswer, host: &mut impl TurnHost) -> Result<(), TurnsError> {
        let text = self.text(answer, true);
        host.on_event(TurnEvent::Answering(&text));
        self.write(text, host).await;
        match self.failure {
            Some(reason) => Err(TurnsError::Document(format!("the answer is not written: {reason}"))),
            None => Ok(()),
        }
    }

    fn text(&self, answer: &ModelAnswer, is_complete: bool) -> String {
        let parts: Vec<_> = answer.ready_parts().into_iter().map(part).collect();
        self.continuation.text(&parts, is_complete)
    }

    /// Replaces the answer in the document by `text`, unless that has failed before.
    async fn write(&mut self, text: String, host: &mut impl TurnHost) {
        if self.failure.is_some() || self.written == text {
            return;
        }
        match self.try_to_write(&text, host).await {
            Ok(()) => self.written = text,
            Err(reason) => self.failure = Some(reason),
        }
    }

    async fn try_to_write(&self, text: &str, host: &mut impl TurnHost) -> Result<(), String> {
        for _ in 0..ATTEMPTS {
            let document = host.document().await?;
            let edit = self.edit(&document, text).ok_or("the end of the document was changed meanwhile")?;
            match host.edit(&document, vec![edit]).await {
                Ok(()) => return Ok(()),
                Err(EditError::Changed) => {}
                Err(EditError::Failed(reason)) => return Err(reason),
            }
        }
        Err(KEEPS_CHANGING.to_owned())
    }

    /// The edit of `document` that replaces the answer at its end by `text`; `None` if it does not
    /// end as the one that was continued.
    fn edit(&self, document: &Document, text: &str) -> Option<ReplaceEdit> {
        let now = document.text();
        let start = now.len().checked_sub(self.written.len())?;
        let from = start.checked_sub(self.before.len())?;
        if now.floor_boundary(from) != from || now.floor_boundary(start) != start {
            return None;
        }
        let is_same = now.slice(from..start) == *self.before && now.slice(start..now.len()) == *self.written;
        let same = self.written.char_indices().zip(text.chars()).find(|((_, old), new)| old != new);
        let same = same.map_or(self.written.len().min(text.len()), |((at, _), _)| at);
        let added = text.get(same..)?.to_owned();
        is_same.then(|| (start + same..now.len(), added))
    }
}

/// A part of an answer, to be written.
fn part(part: &AnswerPart) -> ContinuationPart<'_> {
    match part {
        AnswerPart::Text(text) => ContinuationPart::Text(text),
        AnswerPart::Call(call) => {
            ContinuationPart::Call { id: &call.id, name: &call.name, input: &call.input }
        }
    }
}
