//! Messages on stderr, and output whose reader may close the pipe.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;

use super::{printable, progress};
use crate::diagnostic::Severity;

/// Ignores a broken pipe: a reader that closes the pipe, as `head` does, has read enough. The
/// command then ends early without a message, and its status reflects the diagnostics reported
/// until then.
pub(crate) fn unless_reader_left(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// True if stdout is a terminal that can move the cursor and erase by escape sequences. Old
/// consoles of Windows cannot; others need a request for it, which this sends.
pub(crate) fn stdout_has_escapes() -> bool {
    let is_passed_on = || AutoStream::always(io::stdout()).current_choice() == ColorChoice::AlwaysAnsi;
    io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
        && is_passed_on()
}

/// The number of columns of the terminal on stdout; `None` if stdout is something else.
pub(crate) fn terminal_width() -> Option<usize> {
    let terminal = terminal_size::terminal_size().filter(|_| io::stdout().is_terminal());
    terminal.map(|(width, _)| usize::from(width.0))
}

/// The color of a severity.
pub(crate) fn color_of(severity: Severity) -> AnsiColor {
    match severity {
        Severity::Error => AnsiColor::BrightRed,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Information => AnsiColor::BrightBlue,
        Severity::Hint => AnsiColor::BrightCyan,
    }
}

/// Prints an error to stderr. Errors make the command fail.
pub(crate) fn print_error(message: &str) {
    print(AnsiColor::BrightRed, "error", message);
}

/// The error with `message`, which ends a command that refuses a request of the user.
pub(crate) fn refused<T>(message: impl Into<String>) -> io::Result<T> {
    Err(io::Error::other(message.into()))
}

/// Prints a warning to stderr. Warnings do not affect the exit status.
pub(crate) fn print_warning(message: &str) {
    print(AnsiColor::Yellow, "warning", message);
}

fn print(color: AnsiColor, word: &str, message: &str) {
    let style = color.on_default().bold();
    write_line(&format!("{style}{word}{style:#}: {}", printable::printable_text(message)));
}

/// Writes a line to stderr, with control characters escaped.
pub(crate) fn print_to_stderr(line: &str) {
    write_line(&printable::printable_text(line));
}

fn write_line(line: &str) {
    // An error is ignored: there is no other stream to report it to.
    _ = progress::with_line_hidden(|| writeln!(anstream::stderr(), "{line}"));
}
