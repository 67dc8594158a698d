//! Asks the user to agree to what a configuration would start: by a prompt in a terminal, and by a
//! hash elsewhere.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::common::CommonArgs;
use crate::cli::console::{print_error, printable_path};
use crate::cli::interruption::ended_by_signal;
use crate::cli::progress::with_line_hidden;
use crate::run::{Consented, Environment, KnownRunner, Subject, TrustStore};
use crate::text::visible::visible;

/// Maximum length of the facts in a question, in bytes.
const LONGEST: usize = 4000;

/// The arguments of commands that connect to addresses.
#[derive(Args, Debug)]
pub(super) struct ConnectionArgs {
    /// Ignore the proxies that variables such as `HTTPS_PROXY` name
    #[arg(long)]
    pub no_proxy: bool,
}

impl ConnectionArgs {
    /// The variables of this process.
    pub fn environment(&self) -> Environment {
        Environment::of_process().ignoring_proxies(self.no_proxy)
    }
}

/// The folders that are open: the working folder of the command.
pub(super) fn workspace(common: &CommonArgs) -> Vec<PathBuf> {
    common.trust().working_folder.into_iter().collect()
}

/// The consent to `runner`: given before, or now at a prompt. Without any, prints an error with the
/// command that grants it.
pub(super) fn consent(store: &TrustStore, runner: &KnownRunner) -> io::Result<Option<Consented>> {
    let title = format!("{} `{}`", runner.kind.name(), visible(&runner.name));
    let subject = match &runner.subject {
        Ok(subject) => subject,
        Err(reason) => {
            print_error(&format!("the {title} cannot be started: {reason}"));
            return Ok(None);
        }
    };
    if let Some(consented) = store.check(subject)? {
        return Ok(Some(consented));
    }
    let facts = facts(subject);
    // The beginning of a longer question would leave the screen.
    let is_asked = io::stdin().is_terminal() && io::stderr().is_terminal() && facts.len() <= LONGEST;
    if !is_asked {
        print_error(&format!(
            "nobody agreed to start the {title} of {}:\n{facts}to agree: chatls trust --allow {}",
            printable_path(&runner.file),
            subject.hash()
        ));
        return Ok(None);
    }
    let question =
        format!("The {title} of {} would be started:\n{facts}Agree? [y/N] ", printable_path(&runner.file));
    if !matches!(answer_to(&question)?.as_str(), "y" | "yes") {
        print_error(&format!("the {title} was not started"));
        return Ok(None);
    }
    store.grant(subject).map(Some)
}

/// The user's answer to `question`, in lower case. Input typed before the question appears is
/// dropped. The progress line is hidden meanwhile.
pub(super) fn answer_to(question: &str) -> io::Result<String> {
    with_line_hidden(|| {
        drop_typed_ahead();
        let mut stderr = anstream::stderr();
        write!(stderr, "{question}")?;
        stderr.flush()?;
        let mut answer = String::new();
        ended_by_signal(|| io::stdin().lock().read_line(&mut answer))?;
        Ok(answer.trim().to_ascii_lowercase())
    })
}

/// Drops the input of the terminal that has not been read yet.
#[cfg(unix)]
fn drop_typed_ahead() {
    // If stdin is not a terminal, there is nothing to drop.
    _ = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(windows)]
#[expect(unsafe_code, reason = "the standard library has no functions for consoles")]
fn drop_typed_ahead() {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::System::Console::FlushConsoleInputBuffer;
    // SAFETY: the handle is open. The call fails where it is no console.
    _ = unsafe { FlushConsoleInputBuffer(io::stdin().as_raw_handle()) };
}

/// The lines on a subject, indented.
pub(super) fn facts(subject: &Subject) -> String {
    subject.lines().iter().map(|line| format!("  {line}\n")).collect()
}
