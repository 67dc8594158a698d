//! Collects the turns of a message log, message by message.
//!
//! Of the turns, only the last one is changed by later messages, except that a message may repeat
//! an earlier one. So it is the user's [`TurnList`] that decides how much is stored of a turn.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::ops::Range;

use super::conversations::{ConversationKey, Conversations};
use super::json_objects::{ObjectTexts, object_text};
use super::kept::{KeptMessage, ReadMessage};
use super::log_turns::{LogText, LogTurn, Speaker};
use super::repetitions::{Repetition, Repetitions, hash_of_texts};
use super::segment_data::{LogMessage, SegmentAttachment};
use super::{Document, Language};
use crate::call::{CallPart, MessageRole, Thread};
use crate::dialect::log::message::{Message, read_message};
use crate::forms::form::{Form, FormRole};
use crate::syntax::{LocatedSegment, SegmentKind};

/// The turns that were collected, as far as they are of use.
pub(super) trait TurnList {
    /// True if no more turns are needed.
    fn is_full(&self) -> bool;
    /// The last turn, whose texts may be missing.
    fn last(&self) -> Option<&LogTurn>;
    /// The same, to be changed, except for its texts.
    fn last_mut(&mut self) -> Option<&mut LogTurn>;
    /// Adds a turn without texts.
    fn push(&mut self, turn: LogTurn);
    /// Adds a text to the last turn.
    fn add_text(&mut self, text: LogText);
    /// Leaves out the message at `start`, which a message of `conversation` repeats.
    fn forget(&mut self, start: usize, conversation: ConversationKey);
    /// Leaves the arrays of a line: their conversations do not occur again.
    fn leave_arrays(&mut self);
}

/// Values of conversations.
#[derive(Debug)]
pub(super) struct ByConversation<V> {
    of_arrays: HashMap<ConversationKey, V>,
    of_threads: HashMap<Option<Thread>, V>,
}

impl<V> Default for ByConversation<V> {
    fn default() -> Self {
        Self { of_arrays: HashMap::new(), of_threads: HashMap::new() }
    }
}

impl<V> ByConversation<V> {
    /// The value of a conversation.
    pub fn get(&self, key: ConversationKey) -> Option<&V> {
        match key.array {
            Some(_) => self.of_arrays.get(&key),
            None => self.of_threads.get(&key.thread),
        }
    }

    /// Sets the value of a conversation.
    pub fn insert(&mut self, key: ConversationKey, value: V) {
        match key.array {
            Some(_) => self.of_arrays.insert(key, value),
            None => self.of_threads.insert(key.thread, value),
        };
    }

    /// Removes the values of conversations in arrays.
    pub fn leave_arrays(&mut self) {
        if !self.of_arrays.is_empty() {
            self.of_arrays = HashMap::new();
        }
    }
}

/// An envelope, whose time and agent apply to the messages in it.
struct Envelope {
    range: Range<usize>,
    time: Option<String>,
    model: Option<String>,
    agent: Option<String>,
}

/// Reads the messages of a document, in order.
pub(super) struct TurnCollector<T> {
    /// The turns.
    pub turns: T,
    /// The envelopes around the next message, outermost first.
    envelopes: Vec<Envelope>,
    /// The models of conversations, of records that name one for all that follows.
    models: ByConversation<String>,
    repetitions: Repetitions,
}

impl<T: TurnList> TurnCollector<T> {
    /// Collects into `turns`.
    pub fn new(turns: T) -> Self {
        let (models, repetitions) = (ByConversation::default(), Repetitions::default());
        Self { turns, envelopes: Vec::new(), models, repetitions }
    }

    /// Adds the turns of the messages that begin in `segments` of `document`, which follow those
    /// already added. Takes time linear in the length of the messages, and in the number of
    /// threads without a name in the whole document.
    pub fn add_segments(&mut self, document: &Document, segments: Range<usize>) {
        if !document.is_active() || !document.tree.summary().attachment.messages {
            return;
        }
        let mut conversations = Conversations::default();
        for located in document.tree.iter_from(segments.start).take(segments.len()) {
            let Some(data) = located.segment.attachment.data.as_deref() else { continue };
            if data.messages().is_empty() {
                continue;
            }
            let text = LazyCell::new(|| object_text(document.context(), &located));
            let read =
                || data.messages().iter().map(|found| document.message_to_keep(&text, &located, found));
            let kept = located.segment.attachment.kept.messages(|| read().collect());
            if matches!(located.segment.kind, SegmentKind::Fence(_)) {
                // Two fences may show the same session.
                self.repetitions = Repetitions::default();
            }
            if document.language == Language::Stream {
                self.leave_arrays();
            }
            for (found, kept) in data.messages().iter().zip(kept) {
                let Some(form) = document.settings.forms.form(usize::from(found.form)) else { continue };
                let conversation = conversations.key_of(document.context(), &located, found.conversation);
                let start = located.offset + found.start as usize;
                let is_result = matches!(&form.role, FormRole::Use(paths) if paths.part == CallPart::Result);
                let read_now;
                let read = match kept {
                    KeptMessage::Read(read) => read,
                    KeptMessage::None => continue,
                    KeptMessage::EndsElsewhere => {
                        read_now = read_object(form, &text, found.start as usize);
                        let Some(read) = &read_now else { continue };
                        read
                    }
                };
                let is_whole = !is_result && read.message.role.is_some();
                let repeated = match is_whole {
                    true => self.repetitions.find(read, conversation, start),
                    false => Repetition::None,
                };
                match repeated {
                    Repetition::New => continue,
                    Repetition::Earlier(start) => self.turns.forget(start, conversation),
                    Repetition::None => {}
                }
                self.add(start..start + read.len, conversation, is_result, &read.message);
                if self.turns.is_full() {
                    return;
                }
            }
        }
    }

    /// An array of a line of a log ends in the line.
    fn leave_arrays(&mut self) {
        self.models.leave_arrays();
        self.repetitions.leave_arrays();
        self.turns.leave_arrays();
    }

    fn add(
        &mut self,
        range: Range<usize>,
        conversation: ConversationKey,
        is_result: bool,
        message: &Message,
    ) {
        let Self { turns, envelopes, models, .. } = self;
        while envelopes.pop_if(|outer| outer.range.end <= range.start).is_some() {}
        let Message { role, time, model, agent, texts, .. } = message;
        let of_envelopes = |of: fn(&Envelope) -> &Option<String>| {
            envelopes.iter().rev().find_map(|outer| of(outer).as_deref())
        };
        let time = time.as_deref().or_else(|| of_envelopes(|outer| &outer.time));
        let model = model.as_deref().or_else(|| of_envelopes(|outer| &outer.model));
        let agent = agent.as_deref().or_else(|| of_envelopes(|outer| &outer.agent));
        let whole = envelopes.first().map_or(range.clone(), |outer| outer.range.clone());
        let role_of_first = texts.first().and_then(|text| text.role).or(*role);
        let says = !texts.is_empty() || *role == Some(MessageRole::Assistant);
        let Some(role) = role_of_first.filter(|_| says && !is_result) else {
            if is_result || role.is_some() {
                extend(turns, &whole, conversation);
            } else {
                let [time, model, agent] = [time, model, agent].map(|it| it.map(str::to_owned));
                if let Some(model) = &model {
                    models.insert(conversation, model.clone());
                }
                envelopes.push(Envelope { range, time, model, agent });
            }
            return;
        };
        let whole = whole.start.min(range.start)..whole.end.max(range.end);
        let model = model.or_else(|| models.get(conversation).map(String::as_str));
        let model_of = |role| model.filter(|_| role == MessageRole::Assistant);
        let new = |role, range: Range<usize>| LogTurn {
            role,
            time: time.map(str::to_owned),
            model: model_of(role).map(str::to_owned),
            agent: agent.map(str::to_owned),
            conversation,
            range,
            texts: Vec::new(),
        };
        if !continues(turns, Speaker { role, agent, model: model_of(role) }, conversation, whole.end) {
            let from = turns.last().map_or(whole.start, |last| whole.start.max(last.range.start));
            turns.push(new(role, from..whole.end));
        }
        for text in texts {
            let place = range.start + text.span.start as usize..range.start + text.span.end as usize;
            let role = text.role.unwrap_or(role);
            if turns.last().is_some_and(|turn| turn.role != role) {
                if let Some(turn) = turns.last_mut() {
                    turn.range.end = place.start;
                }
                turns.push(new(role, place.start..whole.end));
            }
            let order = if text.leads && text.role.is_none() { range.start } else { place.start };
            turns.add_text(LogText { kind: text.kind, range: place, order });
            if let Some(turn) = turns.last_mut() {
                turn.range.end = turn.range.end.max(whole.end);
            }
        }
    }
}

/// True if a turn of `speaker`, which ends at `end`, goes on the last one.
fn continues(
    turns: &mut impl TurnList,
    speaker: Speaker<&str>,
    conversation: ConversationKey,
    end: usize,
) -> bool {
    let is_same = |last: &LogTurn| last.conversation == conversation && speaker.goes_on(&last.speaker());
    let Some(last) = turns.last_mut().filter(|last| is_same(last)) else { return false };
    last.range.end = last.range.end.max(end);
    last.model = last.model.take().or_else(|| speaker.model.map(str::to_owned));
    true
}

/// Extends the last turn by a result, or by a message that says nothing.
fn extend(turns: &mut impl TurnList, range: &Range<usize>, conversation: ConversationKey) {
    if let Some(last) = turns.last_mut().filter(|last| last.conversation == conversation) {
        last.range.end = last.range.end.max(range.end);
    }
}

impl Document {
    /// The message `found` as it is kept: it begins in `located`, whose text is `text`.
    fn message_to_keep(
        &self,
        text: &ObjectTexts<'_>,
        located: &LocatedSegment<'_, SegmentAttachment>,
        found: &LogMessage,
    ) -> KeptMessage {
        let start = found.start as usize;
        let form = self.settings.forms.form(usize::from(found.form));
        let Some(read) = form.and_then(|form| read_object(form, text, start)) else {
            return KeptMessage::None;
        };
        let ends_here = start + read.len <= located.segment.len as usize;
        match located.segment.kind {
            SegmentKind::Json(_) if !ends_here => KeptMessage::EndsElsewhere,
            _ => KeptMessage::Read(read),
        }
    }
}

/// The message at `start` of a segment with this text; `None` if there is no object.
fn read_object(form: &Form, text: &ObjectTexts<'_>, start: usize) -> Option<ReadMessage> {
    text.read(start, |text, object| {
        let message = read_message(form, object);
        let texts = hash_of_texts(&message, text);
        ReadMessage { message, len: text.len(), texts }
    })
}
