//! Detects whether the reader of stdout is gone.

use std::sync::mpsc::Sender;

use crate::cli::file_watcher::ChangeEvent;

/// Sends an event when the reader of stdout is gone. Without it, a program that mostly waits would
/// notice only at its next write.
#[cfg(unix)]
pub(super) fn notify_on_closed_stdout(sender: Sender<ChangeEvent>) {
    use rustix::event::{PollFd, PollFlags, poll};

    std::thread::spawn(move || {
        let stdout = std::io::stdout();
        loop {
            // No events are requested: POLLERR and POLLHUP are always reported.
            let mut end = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut end, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) if end.iter().any(|end| end.revents().intersects(PollFlags::ERR | PollFlags::HUP)) => {
                    _ = sender.send(ChangeEvent::ReaderLeft);
                    return;
                }
                _ => return,
            }
        }
    });
}

/// Does nothing: on this system, the next write reports it.
#[cfg(not(unix))]
pub(super) fn notify_on_closed_stdout(_: Sender<ChangeEvent>) {}
