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
use crate::never::OrNever;
use crate::text::visible::is_command;

/// The name of the file at `path` in output, with `/` on every system: outputs can be compared.
pub(super) fn slashed(path: &Path) -> String {
    let name = path.to_string_lossy();
    if cfg!(windows) { name.replace('\\', "/") } else { name.into_owned() }
}

/// Escapes control characters, line separators and bidi controls in `name`.
pub(super) fn printable(name: &str) -> Cow<'_, str> {
    if !name.contains(is_command) {
        return Cow::Borrowed(name);
    }
    let escaped = name.chars().fold(String::with_capacity(2 * name.len()), |mut escaped, character| {
        match is_command(character) {
            true => escaped.extend(character.escape_default()),
            false => escaped.push(character),
        }
        escaped
    });
    Cow::Owned(escaped)
}

/// Escapes terminal control characters in `text`, except line ends and tabs.
pub(super) fn printable_text(text: &str) -> Cow<'_, str> {
    let is_kept = |character: char| matches!(character, '\n' | '\t');
    if !text.contains(|character| is_command(character) && !is_kept(character)) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.split_inclusive(is_kept).map(|line| match line.strip_suffix(is_kept) {
        Some(content) => [printable(content), line.get(content.len()..).or_never().into()].concat(),
        None => printable(line).into_owned(),
    });
    Cow::Owned(lines.collect())
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
