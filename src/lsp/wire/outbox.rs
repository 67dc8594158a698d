//! The queue of outgoing messages: responses in order of completion, and the newest set of
//! diagnostics.
//!
//! Queueing a message never waits for the client; [`Outbox::deliver`] may. One thread at a time has
//! the output. Sets of diagnostics are ordered by their tickets: a newer one replaces the last,
//! older ones are dropped, and sets of an earlier opening of a document are never written after a
//! later one begins.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_types::Url;
use serde::Serialize;

use crate::lsp::wire::frames::Frame;
use crate::never::lock;

/// The maximum number of unread log messages; more are dropped.
const LOGS_LIMIT: usize = 100;

/// The length in bytes of the unread messages from which no more requests are accepted.
const BYTES_LIMIT: usize = 256 << 20;

/// A number that is given once, such as for a version of a document or a set of diagnostics; larger
/// is newer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// The messages waiting for the client.
#[derive(Default)]
pub struct Outbox {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// The output, while no thread writes to it.
    output: Option<Box<dyn Write + Send>>,
    /// The error of the output: nothing is written after an error.
    broken: Option<io::Error>,
    entries: VecDeque<OutboxEntry>,
    sets: HashMap<Url, QueuedDiagnostics>,
    /// The number of log messages among the entries.
    logs: usize,
    /// The length of the messages in bytes.
    bytes: usize,
    closed: bool,
}

#[derive(Debug)]
enum OutboxEntry {
    Message(Frame),
    Log(Frame),
    /// The newest set of its document at the time of writing.
    Set(Url),
}

#[derive(Debug, Default)]
struct QueuedDiagnostics {
    /// The newest set so far, or the start of its opening: only newer sets are accepted.
    newest: Ticket,
    /// The newest set, until it is written.
    frame: Option<Frame>,
    /// True if it has an entry.
    queued: bool,
    /// True if nothing follows it.
    last: bool,
}

impl Outbox {
    /// Queues a response, a notification or a request.
    pub fn send(&self, message: &impl Serialize) {
        match Frame::of(message) {
            Ok(frame) => self.send_frame(frame),
            Err(error) => tracing::error!(%error, "a message cannot be serialized"),
        }
    }

    /// Queues a response, a notification or a request.
    pub fn send_frame(&self, frame: Frame) {
        lock(&self.queue).push(frame);
        self.changed.notify_all();
    }

    /// Queues a message, and writes the next one unless another thread writes, so that no thread
    /// must wake up for it. For threads that may wait for the client.
    pub fn deliver(&self, frame: Frame) {
        let mut queue = lock(&self.queue);
        queue.push(frame);
        let queue = self.write_next(queue);
        if queue.has_work() {
            self.changed.notify_all();
        }
    }

    /// True if the client leaves too much unread.
    pub fn is_full(&self) -> bool {
        lock(&self.queue).bytes > BYTES_LIMIT
    }

    /// Queues a log message, unless too many wait already.
    pub fn send_log(&self, frame: Frame) {
        let mut queue = lock(&self.queue);
        if queue.logs < LOGS_LIMIT {
            queue.logs += 1;
            queue.entries.push_back(OutboxEntry::Log(frame));
            self.changed.notify_all();
        }
    }

    /// Starts an opening of `uri`: unwritten sets are dropped, and only sets newer than `ticket`
    /// are accepted.
    pub fn reserve_diagnostics(&self, uri: &Url, ticket: Ticket) {
        let mut queue = lock(&self.queue);
        let set = queue.sets.entry(uri.clone()).or_default();
        set.frame = None;
        set.newest = ticket;
        set.last = false;
    }

    /// True if the set of `ticket` would be accepted for `uri`.
    pub fn is_newest(&self, uri: &Url, ticket: Ticket) -> bool {
        lock(&self.queue).sets.get(uri).is_some_and(|set| set.newest < ticket)
    }

    /// Queues the set of `ticket`, unless a newer one was queued or its opening has ended. A newer
    /// set that is still being computed does not matter: during steady typing there is always one.
    pub fn publish(&self, uri: &Url, ticket: Ticket, frame: Frame) {
        lock(&self.queue).publish(uri, ticket, frame);
        self.changed.notify_all();
    }

    /// Queues the last set for `uri`. It replaces a set that waits, and no set is accepted after
    /// it.
    pub fn publish_last(&self, uri: &Url, ticket: Ticket, frame: Frame) {
        let mut queue = lock(&self.queue);
        queue.sets.entry(uri.clone()).or_default().last = true;
        queue.publish(uri, ticket, frame);
        self.changed.notify_all();
    }

    /// Writes messages to `output` until the outbox is closed.
    ///
    /// # Errors
    ///
    /// The errors of `output`; nothing is written after one.
    pub fn write_to(&self, output: impl Write + Send + 'static) -> io::Result<()> {
        let mut queue = lock(&self.queue);
        queue.output = Some(Box::new(output));
        loop {
            queue = self.write_next(queue);
            if let Some(error) = queue.broken.take() {
                return Err(error);
            }
            if queue.closed && queue.is_written() {
                self.changed.notify_all();
                return Ok(());
            }
            let has_none = |queue: &mut Queue| !queue.has_work();
            queue = self.changed.wait_while(queue, has_none).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The messages that wait, without waiting for more.
    pub fn take(&self) -> Vec<Frame> {
        let mut queue = lock(&self.queue);
        let mut frames = Vec::new();
        while !queue.entries.is_empty() {
            frames.extend(queue.pop());
        }
        frames
    }

    /// Ends writing once everything is written; waits for that, up to `patience`.
    pub fn close(&self, patience: Duration) {
        let mut queue = lock(&self.queue);
        queue.closed = true;
        self.changed.notify_all();
        // A client that does not read must not keep the process alive.
        drop(self.changed.wait_timeout_while(queue, patience, |queue| !queue.is_written()));
    }

    /// Writes the next message, unless another thread writes.
    fn write_next<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        let Some(mut output) = queue.output.take() else { return queue };
        let written = match queue.pop() {
            None => Ok(()),
            Some(frame) => {
                drop(queue);
                let written = output.write_all(frame.bytes()).and_then(|()| output.flush());
                queue = lock(&self.queue);
                written
            }
        };
        match written {
            Ok(()) => queue.output = Some(output),
            Err(error) => queue.broken = Some(error),
        }
        queue
    }
}

impl Queue {
    fn push(&mut self, frame: Frame) {
        self.bytes += frame.bytes().len();
        self.entries.push_back(OutboxEntry::Message(frame));
    }

    /// True if the writer has anything to do.
    fn has_work(&self) -> bool {
        self.broken.is_some() || self.output.is_some() && (self.closed || !self.entries.is_empty())
    }

    /// True if no message waits or is being written.
    fn is_written(&self) -> bool {
        self.output.is_some() && self.entries.is_empty()
    }

    fn publish(&mut self, uri: &Url, ticket: Ticket, frame: Frame) {
        let Some(set) = self.sets.get_mut(uri).filter(|set| set.newest < ticket) else { return };
        set.newest = ticket;
        set.frame = Some(frame);
        if !std::mem::replace(&mut set.queued, true) {
            self.entries.push_back(OutboxEntry::Set(uri.clone()));
        }
    }

    /// The next entry's frame; `None` also if the entry's set has been dropped.
    fn pop(&mut self) -> Option<Frame> {
        match self.entries.pop_front()? {
            OutboxEntry::Message(frame) => {
                self.bytes -= frame.bytes().len();
                Some(frame)
            }
            OutboxEntry::Log(frame) => {
                self.logs -= 1;
                Some(frame)
            }
            OutboxEntry::Set(uri) => {
                let set = self.sets.get_mut(&uri)?;
                set.queued = false;
                let frame = set.frame.take();
                if set.last && frame.is_some() {
                    self.sets.remove(&uri);
                }
                frame
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Checks the output of the messages that `fill` queues.
    fn check(fill: impl FnOnce(&Outbox, &Url), expected: &[&str]) {
        let outbox = Outbox::default();
        fill(&outbox, &Url::parse("untitled:a").expect("a URI"));
        outbox.close(Duration::ZERO);
        let written = Written::default();
        outbox.write_to(written.clone()).expect("a vector takes everything");
        let written = String::from_utf8(written.0.lock().expect("no panic").clone()).expect("JSON");
        let bodies: Vec<_> =
            written.split("Content-Length: ").filter_map(|part| part.split("\r\n\r\n").nth(1)).collect();
        assert_eq!(bodies, expected);
    }

    fn frame(body: u32) -> Frame {
        Frame::of(&body).expect("a number")
    }

    #[test]
    fn only_the_newest_set_is_kept_and_stale_ones_are_dropped() {
        check(|outbox, _| (0..3).for_each(|n| outbox.send_frame(frame(n))), &["0", "1", "2"]);
        check(
            |outbox, uri| {
                outbox.reserve_diagnostics(uri, Ticket(0));
                outbox.publish(uri, Ticket(2), frame(2));
                outbox.send_frame(frame(7));
                outbox.publish(uri, Ticket(1), frame(1));
                outbox.publish(uri, Ticket(3), frame(3));
                outbox.publish(uri, Ticket(2), frame(20));
            },
            &["3", "7"],
        );
        check(
            |outbox, uri| {
                outbox.reserve_diagnostics(uri, Ticket(1));
                outbox.publish_last(uri, Ticket(3), frame(3));
                outbox.publish(uri, Ticket(2), frame(2));
            },
            &["3"],
        );
        check(
            |outbox, uri| {
                outbox.reserve_diagnostics(uri, Ticket(1));
                outbox.publish(uri, Ticket(2), frame(2));
                outbox.publish_last(uri, Ticket(4), frame(4));
                outbox.reserve_diagnostics(uri, Ticket(5));
                outbox.publish(uri, Ticket(3), frame(3));
                assert!(outbox.is_newest(uri, Ticket(6)) && !outbox.is_newest(uri, Ticket(3)));
            },
            &[],
        );
        check(|outbox, uri| outbox.publish(uri, Ticket(1), frame(1)), &[]);
    }

    #[test]
    fn a_message_is_delivered_by_its_own_thread_unless_another_one_writes() {
        let (outbox, written) = (Outbox::default(), Written::default());
        let bodies = || String::from_utf8(written.0.lock().expect("no panic").clone()).expect("JSON");
        lock(&outbox.queue).output = Some(Box::new(written.clone()));
        outbox.deliver(frame(1));
        assert!(bodies().ends_with('1'), "{}", bodies());
        let output = lock(&outbox.queue).output.take();
        outbox.deliver(frame(2));
        assert!(bodies().ends_with('1') && !lock(&outbox.queue).has_work());
        lock(&outbox.queue).output = output;
        outbox.deliver(frame(3));
        assert!(bodies().ends_with('2') && lock(&outbox.queue).has_work(), "{}", bodies());
        lock(&outbox.queue).output = Some(Box::new(io::Cursor::new([0; 1])));
        outbox.deliver(frame(4));
        assert!(lock(&outbox.queue).broken.is_some() && lock(&outbox.queue).output.is_none());
    }

    #[test]
    fn unread_log_messages_are_limited() {
        let outbox = Outbox::default();
        (0..200).for_each(|n| outbox.send_log(frame(n)));
        assert_eq!(lock(&outbox.queue).entries.len(), LOGS_LIMIT);
    }
}
