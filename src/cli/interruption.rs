//! Ctrl+C while a command has something to finish: the command is cancelled, finishes its work, and
//! only then ends by the signal. A second Ctrl+C ends it at once.

use std::sync::Mutex;

use crate::never::lock;

type Cancel = Box<dyn FnOnce() + Send>;

/// Cancels the current work.
static CANCEL: Mutex<Option<Cancel>> = Mutex::new(None);

/// Does `work`; a signal calls `cancel` meanwhile, and ends the process after it.
pub(super) fn cancelled_by_signal<T>(cancel: impl FnOnce() + Send + 'static, work: impl FnOnce() -> T) -> T {
    *lock(&CANCEL) = Some(Box::new(cancel));
    let done = work();
    lock(&CANCEL).take();
    super::signals::end_if_caught();
    done
}

/// Asks the user by `ask`, which a signal cannot cancel: it ends the process meanwhile.
pub(super) fn ended_by_signal<T>(ask: impl FnOnce() -> T) -> T {
    let cancel = lock(&CANCEL).take();
    let answer = ask();
    *lock(&CANCEL) = cancel;
    answer
}

/// Cancels the current work. Returns whether there is any.
pub(super) fn cancel() -> bool {
    let cancel = lock(&CANCEL).take();
    cancel.map(|cancel| cancel()).is_some()
}
