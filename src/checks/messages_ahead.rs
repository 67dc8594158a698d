//! Finds out whether another exchange begins after a message.
//!
//! Many calls ask this of neighboring messages. Messages are read from the first of these on until
//! the answer is known, and each is read once for all calls.

use std::collections::HashMap;

use crate::call::Thread;
use crate::messages::exchange::{ExchangeScan, MessageKind, MessageMark};

/// The start of a message in the document, and its mark; `None` if it is still being written.
pub(super) type MarkAt = (usize, Option<MessageMark>);

/// The messages of a log or an array that were read, from the first requested one on.
#[derive(Debug, Default)]
pub(super) struct MessagesAhead {
    /// The array, by its start; `None` for a log.
    array: Option<usize>,
    /// For each message, by its start: its thread, and its index in the thread.
    places: HashMap<usize, Option<(Option<Thread>, usize)>>,
    threads: HashMap<Option<Thread>, ThreadAhead>,
    /// The document offset after the messages that were read; `None` if all were read.
    read_to: Option<usize>,
}

/// The messages of a thread.
#[derive(Debug, Default)]
struct ThreadAhead {
    marks: Vec<MessageMark>,
    /// The index of the last message of each kind that matters.
    last_speech: Option<usize>,
    last_call: Option<usize>,
    last_results: Option<usize>,
}

impl MessagesAhead {
    /// True if another exchange begins after the message at `start`. `read` returns at least one
    /// message from an offset on, and the offset after them, or `None` after the last message.
    pub fn goes_on(
        &mut self,
        array: Option<usize>,
        start: usize,
        mut read: impl FnMut(usize) -> (Vec<MarkAt>, Option<usize>),
    ) -> bool {
        if array != self.array || !self.places.contains_key(&start) {
            *self = Self { array, read_to: Some(start), ..Self::default() };
            self.read_more(&mut read);
        }
        let Some(Some((thread, index))) = self.places.get(&start).copied() else { return false };
        let mut scan = None;
        let mut next = index + 1;
        loop {
            let Some(ahead) = self.threads.get(&thread) else { return false };
            let Some(own) = ahead.marks.get(index) else { return false };
            let scan = scan.get_or_insert_with(|| ExchangeScan::new(own.clone()));
            if ahead.begins_turn_after(index, own) {
                return true;
            }
            if ahead.may_begin_turn_after(index) {
                let mut others = ahead.marks.iter().skip(next);
                if others.any(|mark| scan.is_over(mark)) {
                    return true;
                }
                next = ahead.marks.len();
            }
            if !self.read_more(&mut read) {
                return false;
            }
        }
    }

    /// Reads further messages; false if there are none.
    fn read_more(&mut self, read: &mut impl FnMut(usize) -> (Vec<MarkAt>, Option<usize>)) -> bool {
        let Some(from) = self.read_to else { return false };
        let (found, read_to) = read(from);
        self.read_to = read_to;
        for (start, mark) in found {
            let place = mark.map(|mark| {
                let thread = mark.thread;
                (thread, self.threads.entry(thread).or_default().push(mark))
            });
            self.places.insert(start, place);
        }
        true
    }
}

impl ThreadAhead {
    /// Adds a message; returns its index.
    fn push(&mut self, mark: MessageMark) -> usize {
        let index = self.marks.len();
        match mark.kind {
            MessageKind::Speech => self.last_speech = Some(index),
            MessageKind::Call => self.last_call = Some(index),
            MessageKind::Results => self.last_results = Some(index),
            MessageKind::Other => {}
        }
        self.marks.push(mark);
        index
    }

    /// True if it is clear that an exchange begins after the message at `index`, which is `own`.
    fn begins_turn_after(&self, index: usize, own: &MessageMark) -> bool {
        let speech = self.last_speech.filter(|last| *last > index).and_then(|last| self.marks.get(last));
        speech.is_some_and(|speech| speech.id.is_none() || speech.id != own.id)
    }

    /// False if the messages read so far cannot begin an exchange after `index`.
    fn may_begin_turn_after(&self, index: usize) -> bool {
        let is_after = |last: Option<usize>| last.is_some_and(|last| last > index);
        is_after(self.last_speech) || is_after(self.last_call) && is_after(self.last_results)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mark() -> impl Strategy<Value = Option<MessageMark>> {
        let kinds = [MessageKind::Results, MessageKind::Call, MessageKind::Speech, MessageKind::Other];
        let kind = prop::sample::select(kinds.to_vec());
        let thread =
            prop::option::of(prop::sample::select(vec!["one", "two"])).prop_map(|it| it.map(Thread::named));
        let id = prop::option::of(prop::sample::select(vec!["a".to_owned(), "b".to_owned()]));
        prop::option::weighted(
            0.9,
            (kind, thread, id).prop_map(|(kind, thread, id)| MessageMark { kind, thread, id }),
        )
    }

    proptest! {
        #[test]
        fn agrees_with_a_scan_of_all_messages_behind(
            marks in prop::collection::vec(mark(), 1..20),
            asked in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
            at_once in 1..4_usize,
        ) {
            let mut ahead = MessagesAhead::default();
            let read = |from: usize| {
                let to = marks.len().min(from + at_once);
                let found = (from..to).map(|at| (at, marks[at].clone())).collect();
                (found, (to < marks.len()).then_some(to))
            };
            for at in asked.iter().map(|it| it.index(marks.len())) {
                let expected = marks[at].clone().is_some_and(|own| {
                    let mut scan = ExchangeScan::new(own);
                    marks[at + 1..].iter().flatten().any(|next| scan.is_over(next))
                });
                prop_assert_eq!(ahead.goes_on(None, at, read), expected, "{}", at);
            }
        }
    }
}
