//! Handles signals that interrupt a command: removes temporary files and the progress line, ends
//! processes that it started, then lets the signal end the process, so that a shell sees the
//! interruption (status 130 for Ctrl+C).

#[cfg(feature = "run")]
use std::sync::atomic::{AtomicI32, Ordering};

use super::{progress, temporaries};

/// Installs the handlers. Signals that the parent process ignores, as `nohup` does, stay ignored.
#[cfg(unix)]
pub(super) fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    // Exceeding the file size limit is then reported as a write error.
    _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let ignored = ignored();
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & 1 << (signal - 1) == 0);
    // Without handlers, signals end the process directly.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(handled) else { return };
    std::thread::spawn(move || signals.forever().for_each(receive));
}

/// Installs the handlers of Ctrl+C, Ctrl+Break, and the end of the console, the session or the
/// system.
#[cfg(windows)]
pub(super) fn listen() {
    // Without handlers, they end the process directly.
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return };
    std::thread::spawn(move || runtime.block_on(receive_all()));
}

/// Windows ends a process that has handled the end of the console, the session or the system.
/// tokio's handler for these waits up to 5 seconds for the process to end itself.
#[cfg(windows)]
async fn receive_all() -> std::io::Result<()> {
    use tokio::signal::windows;
    /// The status of a process that Ctrl+C ended (`STATUS_CONTROL_C_EXIT`).
    const INTERRUPTED: i32 = 0xC000_013A_u32.cast_signed();
    let (mut ctrl_c, mut ctrl_break) = (windows::ctrl_c()?, windows::ctrl_break()?);
    let (mut close, mut logoff) = (windows::ctrl_close()?, windows::ctrl_logoff()?);
    let mut shutdown = windows::ctrl_shutdown()?;
    loop {
        tokio::select! {
            _ = ctrl_c.recv() => {}
            _ = ctrl_break.recv() => {}
            _ = close.recv() => {}
            _ = logoff.recv() => {}
            _ = shutdown.recv() => {}
        }
        receive(INTERRUPTED);
    }
}

/// Cancels the current work, or ends the process.
fn receive(signal: i32) {
    #[cfg(feature = "run")]
    {
        CAUGHT.store(signal, Ordering::SeqCst);
        if super::interruption::cancel() {
            return;
        }
    }
    end(signal);
}

/// The last caught signal; 0 if there is none.
#[cfg(feature = "run")]
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// Ends the process, if a signal was caught that only cancelled its work.
#[cfg(feature = "run")]
pub(super) fn end_if_caught() {
    match CAUGHT.load(Ordering::SeqCst) {
        0 => {}
        signal => end(signal),
    }
}

fn end(signal: i32) {
    temporaries::remove_for_good();
    progress::remove_line();
    #[cfg(feature = "run")]
    crate::run::process::end_all();
    #[cfg(unix)]
    {
        _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    #[cfg(windows)]
    std::process::exit(signal);
}

/// The ignored signals as a bit set; the first signal is the lowest bit.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Not available on this system. SIGHUP is the signal that `nohup` ignores, which leaves neither
/// output at a terminal.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignored() -> u64 {
    use signal_hook::consts::SIGHUP;
    use std::io::{IsTerminal, stderr, stdout};
    if stdout().is_terminal() || stderr().is_terminal() { 0 } else { 1 << (SIGHUP - 1) }
}
