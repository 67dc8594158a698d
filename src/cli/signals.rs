//! What a command does when it is interrupted: it leaves neither temporary files nor a progress line behind, and ends
//! as the signal says, so that a shell sees that it was interrupted (status 130 for Ctrl+C).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::{progress, temporaries};

/// Begins to listen. What the caller of the process ignores, as `nohup` does, stays ignored.
pub(super) fn listen() {
    // A file that may not grow any more is an error of writing then, which is said.
    _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & 1 << (signal - 1) == 0);
    // Where it cannot be listened, signals end the process by themselves.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            temporaries::remove_for_good();
            progress::remove_line();
            _ = emulate_default_handler(signal);
        }
    });
}

/// The signals that are ignored, as bits; the first signal is the lowest one.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Not known here: `nohup` ignores this one.
#[cfg(not(target_os = "linux"))]
fn ignored() -> u64 {
    1 << (SIGHUP - 1)
}
