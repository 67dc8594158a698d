//! `init`: creates a `chatls.toml` that fits its folder.
//!
//! Existing configurations are only overwritten with `--force`. Settings that were not detected are
//! comments.

pub mod detect;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::rewrite::write_file;
use crate::cli::common::ExitStatus;
use crate::cli::console::{printable_path, refused, unless_reader_left};
use crate::cli::init::detect::DetectedProject;
use crate::config::{FILE_NAME, clean, read_error_message};
use crate::prose::counted;

const EXAMPLES: &str = "\
Examples:
  chatls init              write chatls.toml in the current folder
  chatls init transcripts  write it in another one
  chatls init --force      write it anew";

/// The arguments of `init`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArgs {
    /// Folder for the chatls.toml; it applies to all documents below
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Overwrite an existing chatls.toml
    #[arg(long)]
    force: bool,
}

/// Inspects the folder, writes the configuration, and prints the result and the next steps.
pub(super) fn run(command: &InitArgs) -> io::Result<ExitStatus> {
    let folder = &command.folder;
    if !folder.is_dir() {
        return refused(format!("there is no folder `{}`", printable_path(folder)));
    }
    let path = folder.join(FILE_NAME);
    let shown = printable_path(path.strip_prefix(".").unwrap_or(&path));
    let found = detect::detect_project(folder);
    let above = Above::of(folder)?;
    let text = text(&found, above.as_ref());
    // `create_new` checks and creates in one step, so that no existing file is overwritten.
    let written = match command.force {
        true => write_file(&path, &text),
        false => File::create_new(&path).and_then(|mut file| {
            let written = file.write_all(text.as_bytes());
            // A part of it would be in the way of the next try.
            written.inspect_err(|_| _ = std::fs::remove_file(&path))
        }),
    };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::other(format!("`{shown}` already exists: edit it, or overwrite it with `--force`"))
        }
        _ => io::Error::other(format!("cannot write `{shown}`: {}", read_error_message(&error))),
    })?;
    unless_reader_left(report(&shown, folder, &found, above.as_ref()))?;
    Ok(ExitStatus::Clean)
}

/// The configuration that applied to a folder until now.
struct Above {
    /// Its path from there.
    path: String,
    /// True if it is outside of the folder's repository: others who clone the repository do not
    /// have it.
    is_outside: bool,
}

impl Above {
    fn of(folder: &Path) -> io::Result<Option<Self>> {
        let folder = clean(&std::path::absolute(folder)?);
        let levels = folder.ancestors().skip(1).position(|above| above.join(FILE_NAME).is_file());
        Ok(levels.map(|levels| Self {
            path: "../".repeat(levels + 1) + FILE_NAME,
            is_outside: folder.ancestors().take(levels + 1).any(|within| within.join(".git").exists()),
        }))
    }
}

fn report(shown: &str, folder: &Path, found: &DetectedProject, above: Option<&Above>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "wrote `{shown}`")?;
    match above {
        Some(Above { path, is_outside: false }) => {
            writeln!(out, "  extends: `{path}`, which applied here")?;
        }
        Some(Above { path, is_outside: true }) => {
            writeln!(out, "  root: `{path}`, outside of the repository, applies here no longer")?;
        }
        None => {}
    }
    for source in &found.sources {
        writeln!(
            out,
            "  tools: `{}` ({})",
            printable_path(Path::new(&source.path)),
            counted(source.tools, "tool")
        )?;
    }
    if found.more_sources > 0 {
        let more = counted(found.more_sources, "more file");
        writeln!(out, "  tools: {more} with tools; add those that you want to `tools`")?;
    }
    match found.transcripts {
        0 => writeln!(out, "  no transcripts with tool calls yet")?,
        count => writeln!(out, "  {} with tool calls", counted(count, "transcript"))?,
    }
    if folder == Path::new(".") {
        writeln!(out, "next: `chatls check`")
    } else {
        writeln!(out, "next: `chatls check {}`", printable_path(folder))
    }
}

/// Formats the configuration for a folder in which `found` was detected. It extends the
/// configuration `above`, if that is in the same repository.
fn text(found: &DetectedProject, above: Option<&Above>) -> String {
    let extends = match above {
        Some(Above { path, is_outside: false }) => format!(
            "# The configuration above this folder goes on to apply. `root = true` instead would ignore it.\n\
             extends = {}\n\n",
            quoted(path)
        ),
        Some(Above { is_outside: true, .. }) => {
            "# Configurations above this folder do not apply.\nroot = true\n\n".to_owned()
        }
        None => String::new(),
    };
    let tools = if found.sources.is_empty() {
        "# tools = [\"tools.json\", \"preset:file-tools\"]\n".to_owned()
    } else {
        let lines = found.sources.iter().map(|source| format!("    {},\n", quoted(&source.path)));
        format!("tools = [\n{}]\n", lines.collect::<String>())
    };
    let include = match &*found.patterns {
        [] => "\"**/*.chat.md\", \"logs/**\"".to_owned(),
        patterns => patterns.iter().map(|pattern| quoted(pattern)).collect::<Vec<_>>().join(", "),
    };
    format!(
        "\
# The configuration of chatls for the chat documents in this folder and below it.
# Commented-out lines show keys with their default or an example.

{extends}\
# The known tools: JSON files (MCP, OpenAI, Anthropic, AI SDK or toolClients)
# and presets; of two tools with one name the later one applies. Without any,
# tool names are not checked.
{tools}
# The documents to check, as globs relative to this file. Default: all that are opened or named.
# include = [{include}]
# exclude = [\"README.md\"]

# The AI SDK version that reads them: \"v4\", \"v5\", \"v6\" or \"v7\".
# protocol = \"auto\"

# The API whose rules hold for requests in JSON without calls that show it: \"openai\" or \"anthropic\".
# api = \"auto\"

# The words after the backticks that open a tool fence.
# [fence]
# languages = [\"tool\"]

# The severity of each code: \"error\", \"warning\", \"information\", \"hint\" or \"off\".
# `chatls explain` lists all codes.
[lint]
# early-close = \"off\"

# The same for some documents.
# [[override]]
# files = [\"drafts/**\"]
# lint = {{ unclosed-fence = \"off\" }}
"
    )
}

/// Formats `text` as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
