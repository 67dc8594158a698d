//! File names and reading errors in messages for people.
//!
//! A file name may contain any character except NUL. It is printed on one line, without terminal
//! control characters. Output for programs contains the actual name.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::config::{Files, read_error_message};
use crate::files::DiskFiles;
use crate::text::visible::{escaped, is_command};
use crate::text::with_plain_line_ends;

/// The name of the file at `path` in output, with `/` on every system: outputs can be compared.
pub(super) fn slashed(path: &Path) -> String {
    let name = path.to_string_lossy();
    if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
}

/// Escapes control characters, line separators and bidi controls in `name`.
pub(super) fn printable(name: &str) -> Cow<'_, str> {
    escaped(name, is_command)
}

/// Escapes terminal control characters in `text`, except line ends and tabs.
pub(super) fn printable_text(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| is_command(character) && !matches!(character, '\n' | '\t');
    match text.contains('\r') {
        true => escaped(&with_plain_line_ends(text), is_hidden).into_owned().into(),
        false => escaped(text, is_hidden),
    }
}

/// The printable name of the file at `path`.
pub(super) fn printable_path(path: &Path) -> String {
    printable(&slashed(path)).into_owned()
}

/// Reads the text of a file. The error is the reason why that failed.
pub(super) fn read(path: &Path) -> Result<String, String> {
    DiskFiles.read(path).map_err(|error| read_error_message(&error))
}

/// Opens the log file at `path` for appending.
pub(super) fn open_log(path: &Path) -> io::Result<File> {
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
