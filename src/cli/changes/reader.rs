//! Whether somebody reads stdout.

use std::sync::mpsc::Sender;

use super::ChangeEvent;

/// Tells when nobody reads stdout any more: a program that mostly waits would notice only with its next line.
#[cfg(unix)]
pub(super) fn notify_on_closed_stdout(teller: Sender<ChangeEvent>) {
    use rustix::event::{PollFd, PollFlags, poll};

    std::thread::spawn(move || {
        let stdout = std::io::stdout();
        loop {
            // Nothing is asked for; that the other end is gone is told unasked.
            let mut end = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut end, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) if end.iter().any(|end| end.revents().intersects(PollFlags::ERR | PollFlags::HUP)) => {
                    _ = teller.send(ChangeEvent::ReaderLeft);
                    return;
                }
                _ => return,
            }
        }
    });
}

/// It is noticed with the next line, here.
#[cfg(not(unix))]
pub(super) fn notify_on_closed_stdout(_: Sender<ChangeEvent>) {}
