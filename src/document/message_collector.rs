//! Collects the messages of a document, one segment after the other.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use smol_str::SmolStr;

use crate::call::{CallPart, MessageRole, Thread};
use crate::document::messages::{Message, MessageText, Messages};
use crate::document::repetitions::{Repetition, Repetitions};
use crate::forms::form::{Form, FormRole};
use crate::messages::attribution::Attribution;
use crate::messages::content::{MessageContent, TextOrder, read_message};
use crate::segments::ReadContext;
use crate::segments::conversations::{ConversationKey, Conversations};
use crate::segments::data::{DocumentSegment, LogMessage};
use crate::segments::json_objects::{ObjectTexts, object_text};
use crate::segments::language::Language;
use crate::syntax::SegmentKind;
use crate::text::saturate;

/// The conversations that were found, with their numbers, from 1.
#[derive(Debug, Default)]
struct FoundConversations {
    keys: Vec<ConversationKey>,
    of_arrays: HashMap<ConversationKey, u32>,
    of_threads: HashMap<Option<Thread>, u32>,
    /// The last one that was asked for.
    last: Option<(ConversationKey, u32)>,
    /// For each conversation, the model named by a record for all messages after it.
    models: HashMap<u32, SmolStr>,
}

impl FoundConversations {
    /// The number of a conversation.
    fn number_of(&mut self, key: ConversationKey) -> u32 {
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == key) {
            return number;
        }
        let new = saturate(self.keys.len() + 1);
        let number = match key.array {
            Some(_) => *self.of_arrays.entry(key).or_insert(new),
            None => *self.of_threads.entry(key.thread).or_insert(new),
        };
        self.keys.extend((number == new).then_some(key));
        self.last = Some((key, number));
        number
    }

    /// Forgets the arrays of a line, whose conversations cannot occur again.
    fn leave_arrays(&mut self) {
        if !self.of_arrays.is_empty() {
            self.of_arrays = HashMap::new();
            self.last = None;
        }
    }
}

/// An envelope, whose time and agent apply to the messages in it.
struct Envelope {
    range: Range<usize>,
    attribution: Attribution,
}

/// Reads the messages of a document, in order. Only the last message is changed by later ones,
/// except that a message may repeat an earlier one.
pub(crate) struct MessageCollector {
    messages: Vec<Message>,
    most: usize,
    /// True if all texts and times are kept.
    keeps_texts: bool,
    /// The envelopes around the next message, outermost first.
    envelopes: Vec<Envelope>,
    conversations: FoundConversations,
    repetitions: Repetitions,
    /// The id of the message that is streamed in pieces, and the start of the first piece.
    streamed: Option<(SmolStr, usize)>,
    /// The range of the last message, and the hash of its texts.
    last_read: Option<(Range<usize>, u64)>,
    /// The names of models and sub-agents, which messages share.
    names: HashSet<SmolStr>,
}

impl MessageCollector {
    /// Collects at most `most` messages.
    pub fn new(most: usize) -> Self {
        Self {
            messages: Vec::new(),
            most,
            keeps_texts: true,
            envelopes: Vec::new(),
            conversations: FoundConversations::default(),
            repetitions: Repetitions::default(),
            streamed: None,
            last_read: None,
            names: HashSet::new(),
        }
    }

    /// Collects all messages of a long log without times, and only the first text of each, with
    /// which later messages are compared.
    pub fn without_texts() -> Self {
        Self { keeps_texts: false, ..Self::new(usize::MAX) }
    }

    /// The messages.
    pub fn finish(mut self) -> Messages {
        self.messages.retain(|message| !message.range.is_empty());
        self.messages.truncate(self.most);
        self.messages.shrink_to_fit();
        Messages::numbered(self.messages, &self.conversations.keys)
    }

    /// Adds the messages that begin in `segments` of a document, which follow the messages already
    /// added. The document may be a different one each time, if its text and its threads are the
    /// same. Takes time linear in the length of the messages, and in the number of threads without
    /// a name in the whole document.
    pub fn add_segments(&mut self, context: ReadContext<'_>, segments: Range<usize>) {
        if !context.tree.summary().attachment.messages {
            return;
        }
        let mut conversations = Conversations::default();
        for located in context.tree.iter_from(segments.start).take(segments.len()) {
            let data = located.data();
            if data.log().messages.is_empty() {
                continue;
            }
            let text = LazyCell::new(|| object_text(context, &located));
            let kept = kept_messages(context, &located);
            if matches!(located.segment.kind, SegmentKind::Fence(_)) {
                // Two fences may show the same session.
                self.repetitions = Repetitions::default();
            }
            if context.language == Language::Log {
                // An array of a line of a log ends in the line.
                self.conversations.leave_arrays();
                self.repetitions.leave_arrays();
            }
            for (found, kept) in data.log().messages.iter().zip(kept) {
                let Some(form) = context.settings.forms.form(usize::from(found.form)) else { continue };
                let key = conversations.key_of(context, &located, found.conversation);
                let start = located.offset + found.start as usize;
                let is_result = matches!(&form.role, FormRole::Use(paths) if paths.part == CallPart::Result);
                let read_now;
                let read = match kept {
                    Some(read) => read,
                    None => {
                        read_now = read_object(form, &text, found.start as usize);
                        let Some(read) = &read_now else { continue };
                        read
                    }
                };
                let is_whole = !is_result && read.role.is_some() && !read.is_piece();
                let repeated = match is_whole {
                    true => self.repetitions.find(read, key, start),
                    false => Repetition::None,
                };
                let conversation = self.conversations.number_of(key);
                match repeated {
                    Repetition::New => continue,
                    Repetition::Earlier(start) => self.forget(start, conversation),
                    Repetition::None => {}
                }
                // A record may have its message once more, as it was received.
                let is_copy = |(outer, texts): &(Range<usize>, u64)| {
                    outer.contains(&start) && *texts == read.hash && !read.texts.is_empty()
                };
                if self.last_read.as_ref().is_some_and(is_copy) {
                    continue;
                }
                self.last_read = Some((start..start + read.len, read.hash));
                self.add(start..start + read.len, conversation, is_result, read);
                if self.messages.len() > self.most {
                    return;
                }
            }
        }
    }

    /// Leaves out the message at `start`, which a message of `conversation` repeats.
    fn forget(&mut self, start: usize, conversation: u32) {
        let index = self.messages.partition_point(|message| message.range.start <= start);
        let found = index.checked_sub(1).and_then(|index| self.messages.get_mut(index));
        if let Some(found) = found.filter(|found| found.conversation != conversation) {
            found.texts.retain(|text| text.order < start);
            if found.texts.is_empty() && found.range.start >= start {
                found.range.end = found.range.start;
            }
        }
    }

    fn add(&mut self, range: Range<usize>, conversation: u32, is_result: bool, content: &MessageContent) {
        while self.envelopes.pop_if(|outer| outer.range.end <= range.start).is_some() {}
        let MessageContent { role, texts, .. } = content;
        let mut attribution = content.attribution.clone();
        self.envelopes.iter().rev().for_each(|outer| attribution.add_outer(&outer.attribution));
        let Attribution { author, model, agent, .. } = &mut attribution;
        [author, model, agent].into_iter().flatten().for_each(|name| self.share(name));
        let whole = self.envelopes.first().map_or(range.clone(), |outer| outer.range.clone());
        let role_of_first = texts.first().and_then(|text| text.role).or(*role);
        let is_shown = !texts.is_empty() || *role == Some(MessageRole::Assistant);
        let Some(role) = role_of_first.filter(|_| is_shown && !is_result) else {
            if is_result || role.is_some() {
                self.extend_last(&whole, conversation);
            } else {
                if let Some(model) = &attribution.model {
                    self.conversations.models.insert(conversation, model.clone());
                }
                self.envelopes.push(Envelope { range, attribution });
            }
            return;
        };
        let whole = whole.start.min(range.start)..whole.end.max(range.end);
        let Attribution { author, time, model, agent } = attribution;
        let model = model.or_else(|| self.conversations.models.get(&conversation).cloned());
        let time = time.filter(|_| self.keeps_texts);
        let new = |role, range: Range<usize>| {
            let attribution = Attribution {
                author: author.clone().filter(|_| role == MessageRole::Other),
                time: time.clone(),
                model: model.clone().filter(|_| role == MessageRole::Assistant),
                agent: agent.clone(),
            };
            Message::new(role, conversation, range).with(attribution)
        };
        if let Some(id) = &content.id {
            self.leave_out_pieces(id, content.is_piece(), range.start);
        }
        let message = new(role, whole.clone());
        if !self.continues_last(&message) {
            let last = self.messages.last();
            let from = last.map_or(whole.start, |last| whole.start.max(last.range.start));
            self.messages.push(Message { range: from..whole.end, ..message });
        }
        for text in texts {
            let place = text.span.range_at(range.start);
            let role = text.role.unwrap_or(role);
            if let Some(last) = self.messages.last_mut().filter(|last| last.role != role) {
                last.range.end = place.start;
                self.messages.push(new(role, place.start..whole.end));
            }
            let order = match text.order {
                TextOrder::First if text.role.is_none() => range.start,
                TextOrder::First | TextOrder::Written => place.start,
                TextOrder::Last => place.start.max(range.end.saturating_sub(1)),
            };
            let text = MessageText { kind: text.kind, range: place, order, continues: text.continues };
            self.add_text(text, whole.end);
        }
    }

    /// Remembers where the pieces of the message `id` begin, and leaves them out of the last
    /// message when the whole message follows.
    fn leave_out_pieces(&mut self, id: &SmolStr, is_piece: bool, start: usize) {
        let same = self.streamed.take_if(|(known, _)| known == id);
        if is_piece {
            self.streamed = same.or_else(|| Some((id.clone(), start)));
        } else if let Some(((_, first), last)) = same.zip(self.messages.last_mut()) {
            last.texts.truncate(last.texts.partition_point(|text| text.range.start < first));
        }
    }

    /// Adds a text to the last message, which ends at `end` or later.
    fn add_text(&mut self, text: MessageText, end: usize) {
        let Some(last) = self.messages.last_mut() else { return };
        last.range.end = last.range.end.max(end);
        // A stream chunk may repeat the text of the message that contains it.
        if last.texts.last().is_some_and(|before| before.range == text.range) {
            return;
        }
        match last.texts.first_mut().filter(|_| !self.keeps_texts) {
            Some(first) if first.order <= text.order => {}
            Some(first) => *first = text,
            None => last.texts.push(text),
        }
    }

    /// Extends the last message if `message` continues it. Returns whether it does.
    fn continues_last(&mut self, message: &Message) -> bool {
        let is_same = |last: &Message| last.conversation == message.conversation && message.continues(last);
        let Some(last) = self.messages.last_mut().filter(|last| is_same(last)) else { return false };
        last.range.end = last.range.end.max(message.range.end);
        last.add_model_of(message);
        true
    }

    /// Extends the last message by a result, or by a message without text.
    fn extend_last(&mut self, range: &Range<usize>, conversation: u32) {
        if let Some(last) = self.messages.last_mut().filter(|last| last.conversation == conversation) {
            last.range.end = last.range.end.max(range.end);
        }
    }

    /// Replaces `name` by its interned copy.
    fn share(&mut self, name: &mut SmolStr) {
        match self.names.get(name) {
            Some(known) => *name = known.clone(),
            None => {
                self.names.insert(name.clone());
            }
        }
    }
}

/// The messages that begin in `located`, which are read the first time.
pub(super) fn kept_messages<'d>(
    context: ReadContext<'_>,
    located: &DocumentSegment<'d>,
) -> &'d [Option<MessageContent>] {
    located.segment.attachment.kept.messages(|| {
        let text = object_text(context, located);
        let found = located.data().log().messages.iter();
        let read = |found: &LogMessage| {
            let (form, start) = (usize::from(found.form), found.start as usize);
            let read = read_object(context.settings.forms.form(form)?, &text, start);
            read.filter(|_| text.is_closed_here(start))
        };
        found.map(read).collect()
    })
}

/// The message at `start` of a segment with this text; `None` if there is no object.
fn read_object(form: &Form, text: &ObjectTexts<'_>, start: usize) -> Option<MessageContent> {
    text.read(start, |text, object| read_message(form, text, object))
}
