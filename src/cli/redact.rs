//! `redact`: writes copies of transcripts that can be shared.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::inputs::{self, PathArgs, arguments};
use super::progress::stdout_beside_line;
use super::rewrite::write_file;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{
    print_error, print_to_stderr, printable, printable_path, refused, unless_reader_left,
};
use crate::document::{Document, Language};
use crate::features::redact::{RedactedText, RedactionError, Redactor, Seen};
use crate::files::is_yaml;
use crate::prose::counted;

const EXAMPLES: &str = "\
Examples:
  chatls redact session.jsonl >shared.jsonl    a copy on standard output
  chatls redact session.jsonl -o shared.jsonl  in a new file
  chatls redact a.md logs/ -o shared           of several files, in a folder
  chatls redact 0f1e2d3c -o shared.jsonl       of a session of `chatls sessions`

Replaces credentials, the names in home folders, these names elsewhere, and mail addresses: the same
one by the same pseudonym, in all files. `[redact]` in chatls.toml adds patterns. What it cannot know
remains, such as other names, hosts and what the work is about: read the copy before you share it.

Names of members and tools, and ids of calls, stay as they are, so that the copy can still be read.
If one of them is such a word, the copy has it, and this is an error: it names the line.

Exit status: 0 the copies are written, 1 a copy has such a name or id, 2 error.";

/// The arguments of `redact`.
#[derive(Args, Debug)]
// Records have no files, and a copy of the current folder is seldom meant.
#[command(after_help = EXAMPLES, mut_args(arguments::required_paths))]
pub(super) struct RedactArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// New file to write, or folder if there are several files. Nothing is overwritten
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// A document to redact.
struct Original {
    name: String,
    /// The path, from which its place in an output folder follows.
    path: PathBuf,
    document: Document,
}

/// The destination of the copies.
enum Destination<'a> {
    Stdout,
    File(&'a Path),
    /// A folder, and the common folder of all originals.
    Folder(&'a Path, PathBuf),
}

/// Runs `redact`.
pub(super) fn run(command: &RedactArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let is_one = command.paths.is_one_file();
    if command.output.is_none() && !is_one {
        return refused(
            "several documents cannot be printed as one: name one file, or a folder for the copies with -o",
        );
    }
    let (mut seen, mut originals) = (Seen::default(), Vec::new());
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        if file.is_kept_out {
            return Ok(());
        }
        seen.add(Seen::of(&document));
        let name = file.display_name.to_owned();
        let path = match file.path {
            Some(path) => path.to_owned(),
            None if file.is_session => Path::new(&name).file_name().map(PathBuf::from).unwrap_or_default(),
            None => PathBuf::from(name_of_stdin(document.language())),
        };
        // The folder of a project may be the first of the path.
        seen.read(&if name.starts_with('-') { format!("/{name}") } else { name.clone() });
        originals.push(Original { name, path, document });
        Ok(())
    })?;
    if summary.failed || originals.is_empty() {
        // A name that only the missing file contains would not be redacted in the others.
        return refused("nothing was written");
    }
    let destination = match &command.output {
        None => Destination::Stdout,
        Some(path) if path.is_dir() || !is_one => Destination::Folder(path, common_folder(&originals)),
        Some(path) => Destination::File(path),
    };
    write_copies(&mut originals, Redactor::new(seen), &destination)
}

/// The name of the copy of standard input in a folder.
fn name_of_stdin(language: Language) -> &'static str {
    match language {
        Language::Markdown => "stdin.md",
        Language::Org => "stdin.org",
        Language::Json => "stdin.json",
        Language::Log => "stdin.jsonl",
    }
}

/// Writes the copies, and says what was replaced.
fn write_copies(
    originals: &mut Vec<Original>,
    mut redactor: Redactor,
    destination: &Destination<'_>,
) -> io::Result<ExitStatus> {
    let mut status = ExitStatus::Clean;
    let mut written = 0;
    for original in originals.drain(..) {
        let name = printable(&original.name);
        let RedactedText { text, left } = match redactor.redact(&original.document) {
            Ok(redacted) => redacted,
            Err(error) => {
                print_error(&format!("{}: no copy was written", reason(&name, &error)));
                status = ExitStatus::Failed;
                continue;
            }
        };
        let result = match destination {
            Destination::Stdout => {
                let mut out = stdout_beside_line(io::stdout());
                unless_reader_left(out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
                Ok(())
            }
            Destination::File(path) => write_new(path, &text),
            Destination::Folder(folder, common) => {
                let inner = original.path.strip_prefix(common).unwrap_or(&original.path);
                let names = inner.components().filter(|it| matches!(it, Component::Normal(_)));
                let inner = names.collect::<PathBuf>().display().to_string();
                let inner = redactor.redact_name(&original.document, &format!("/{inner}"));
                let path = folder.join(inner.trim_start_matches('/'));
                path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| write_new(&path, &text))
            }
        };
        match result {
            Ok(()) => {
                written += 1;
                if let Some(left) = left {
                    print_error(&format!("{name}:{}: {left}", left.line + 1));
                    status = status.max(ExitStatus::Found);
                }
            }
            Err(error) => {
                print_error(&format!("cannot write the copy of `{name}`: {error}"));
                status = ExitStatus::Failed;
            }
        }
    }
    if written == 0 {
        return Ok(status);
    }
    print_to_stderr(&format!("replaced in {}: {}", counted(written, "file"), redactor.counts()));
    Ok(status)
}

/// Why the document `name` cannot be redacted.
fn reason(name: &str, error: &RedactionError) -> String {
    match error.line() {
        Some(line) => format!("{name}:{}: {error}", line + 1),
        None => format!("`{name}`: {error}"),
    }
}

/// Writes `text` to a new file, or to a device or pipe.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    if is_yaml(path) {
        return Err(io::Error::other("YAML is read, and not written: name the copy `.json`, which it is"));
    }
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => {
            let message = format!("`{}` exists: remove it, or give another name", printable_path(path));
            Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
        }
        Ok(found) if found.is_dir() => {
            Err(io::Error::other(format!("`{}` is a folder", printable_path(path))))
        }
        Ok(_) => OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes()),
        Err(_) => {
            let named = |error: io::Error| io::Error::other(format!("`{}`: {error}", printable_path(path)));
            // A link to nothing counts as a name that is taken.
            OpenOptions::new().write(true).create_new(true).open(path).map_err(named)?;
            write_file(path, text).map_err(|error| {
                _ = std::fs::remove_file(path);
                named(error)
            })
        }
    }
}

/// The longest path of a folder that has all originals.
fn common_folder(originals: &[Original]) -> PathBuf {
    let mut folders = originals.iter().map(|original| original.path.parent().unwrap_or(Path::new("")));
    let first: Vec<Component<'_>> = folders.next().map(|it| it.components().collect()).unwrap_or_default();
    let is_same = |(one, other): &(&Component<'_>, Component<'_>)| **one == *other;
    let shared = folders.fold(first.len(), |shared, folder| {
        first.iter().take(shared).zip(folder.components()).take_while(is_same).count()
    });
    first.into_iter().take(shared).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::Text;

    #[test]
    fn copies_keep_their_folders() {
        let original = |path: &str| Original {
            name: path.to_owned(),
            path: PathBuf::from(path),
            document: Document::new(Text::new(""), Language::Markdown, Arc::default()),
        };
        let folder =
            |paths: &[&str]| common_folder(&paths.iter().map(|path| original(path)).collect::<Vec<_>>());
        assert_eq!(folder(&["a/b/c.md"]), Path::new("a/b"));
        assert_eq!(folder(&["a/b/c.md", "a/d.md"]), Path::new("a"));
        assert_eq!(folder(&["a.md", "b/c.md"]), Path::new(""));
        assert_eq!(folder(&["/a/b.md", "/a/bc/d.md"]), Path::new("/a"));
    }
}
