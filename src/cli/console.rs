//! Text for people: messages on stderr, file names, and output whose reader may close the pipe.
//!
//! A file name may contain any character except NUL. It is printed on one line, without terminal
//! control characters. Output for programs contains the actual name.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;

use super::progress;
use crate::config::{Files, read_error_message};
use crate::diagnostic::Severity;
use crate::files::DiskFiles;
use crate::text::visible::{escaped, is_command};
use crate::text::with_plain_line_ends;

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
    write_line(&format!("{style}{word}{style:#}: {}", printable_text(message)));
}

/// Writes a line to stderr, with control characters escaped.
pub(crate) fn print_to_stderr(line: &str) {
    write_line(&printable_text(line));
}

fn write_line(line: &str) {
    // An error is ignored: there is no other stream to report it to.
    _ = progress::with_line_hidden(|| writeln!(anstream::stderr(), "{line}"));
}

/// The name of the file at `path` in output, with `/` on every system: outputs can be compared.
pub(crate) fn slashed(path: &Path) -> String {
    let name = path.to_string_lossy();
    if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
}

/// Escapes control characters, line separators and bidi controls in `name`.
pub(crate) fn printable(name: &str) -> Cow<'_, str> {
    escaped(name, is_command)
}

/// Escapes terminal control characters in `text`, except line ends and tabs.
pub(crate) fn printable_text(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| is_command(character) && !matches!(character, '\n' | '\t');
    match text.contains('\r') {
        true => escaped(&with_plain_line_ends(text), is_hidden).into_owned().into(),
        false => escaped(text, is_hidden),
    }
}

/// The printable name of the file at `path`.
pub(crate) fn printable_path(path: &Path) -> String {
    printable(&slashed(path)).into_owned()
}

/// Reads the text of a file. The error is the reason why that failed.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    DiskFiles.read(path).map_err(|error| read_error_message(&error))
}

/// Opens the log file at `path` for appending.
pub(crate) fn open_log(path: &Path) -> io::Result<File> {
    File::options().create(true).append(true).open(path).map_err(|error| {
        let reason = match error.kind() {
            // A missing file is created, so its folder is missing.
            io::ErrorKind::NotFound => "folder not found".to_owned(),
            _ => read_error_message(&error),
        };
        io::Error::new(error.kind(), format!("cannot write the log `{}`: {reason}", printable_path(path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_line_without_control_characters() {
        for (name, expected) in [
            ("chats/a b é漢👩\u{200d}💻.md", "chats/a b é漢👩\u{200d}💻.md"),
            ("\u{1b}[31m\na\r\u{7f}", "\\u{1b}[31m\\na\\r\\u{7f}"),
            ("\u{9b}2J\u{202e}\u{2028}\u{2066}", "\\u{9b}2J\\u{202e}\\u{2028}\\u{2066}"),
        ] {
            assert_eq!(printable(name), expected);
        }
    }

    #[test]
    fn text_keeps_its_line_ends() {
        assert_eq!(printable_text("a\tb\r\nc\u{1b}[2J\n"), "a\tb\nc\\u{1b}[2J\n");
        assert_eq!(printable_text("é\n"), "é\n");
    }
}
