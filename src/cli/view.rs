//! `view`: transcripts as chats in the terminal, each batch of tool calls in one line (formats.md §4).

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;

use super::inputs::{self, Paths};
use super::names::{printable, printable_text};
use super::{Common, Status, unless_reader_left};
use crate::call::{Role, Status as Outcome};
use crate::document::Document;
use crate::features::transcript::{Item, Message, Tools, messages};

const EXAMPLES: &str = "\
Examples:
  chatls view chat.md                  each batch of tool calls in one line
  chatls view --expand run.jsonl       what was called, and what came of it
  chatls view --color always chat.md | less -R";

/// The arguments of `view`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct View {
    #[command(flatten)]
    paths: Paths,
    /// Draw batches open: an entry for each call
    #[arg(long)]
    expand: bool,
}

const NAME: Style = AnsiColor::BrightBlue.on_default().bold();
const TOOLS: Style = AnsiColor::Cyan.on_default();
const FAILED: Style = AnsiColor::Red.on_default();
const FILE: Style = Style::new().bold();

/// Draws all that is named.
pub(super) fn run(command: &View, common: &Common) -> io::Result<Status> {
    let mut out = io::BufWriter::new(anstream::stdout());
    let mut drawn = 0;
    let make = |_: &str, document: Document| draw(&document, command.expand);
    let summary = inputs::for_each(&command.paths, common, make, |file, chat| {
        let gap = if drawn > 0 { "\n" } else { "" };
        drawn += 1;
        match command.paths.is_one_file() {
            true => write!(out, "{chat}"),
            false => write!(out, "{gap}{FILE}==> {} <=={FILE:#}\n\n{chat}", printable(file.shown)),
        }
    })?;
    unless_reader_left(out.flush())?;
    Ok(if summary.failed { Status::Failed } else { Status::Clean })
}

/// `document` as a chat, with a blank line between messages and between their parts.
fn draw(document: &Document, expand: bool) -> String {
    messages(document).iter().map(|message| draw_message(message, expand)).collect::<Vec<_>>().join("\n")
}

fn draw_message(message: &Message, expand: bool) -> String {
    let mut drawn = String::new();
    let name = match (message.name.as_str(), message.role) {
        ("", Some(Role::Assistant)) => "Assistant",
        (name, _) => name,
    };
    if !name.is_empty() {
        drawn.push_str(&format!("{NAME}{}{NAME:#}\n", printable(name)));
    }
    let mut parts = Vec::new();
    for item in &message.items {
        match item {
            Item::Text(text, _) => {
                let text = printable_text(text.trim_matches(['\n', '\r']));
                parts.extend((!text.trim().is_empty()).then(|| format!("{}\n", text.trim_end())));
            }
            Item::Tools(tools) => parts.push(draw_tools(tools, expand)),
        }
    }
    drawn + &parts.join("\n")
}

fn draw_tools(tools: &Tools, expand: bool) -> String {
    let label = printable(&tools.label);
    if !expand {
        return format!("{TOOLS}{label} (show details){TOOLS:#}\n");
    }
    let mut drawn = format!("{TOOLS}{label} (hide details){TOOLS:#}\n");
    for tool in &tools.entries {
        let entry = printable_text(&tool.entry.to_string()).into_owned();
        match tool.entry.status {
            Outcome::Failed => drawn.push_str(&format!("{FAILED}{entry}{FAILED:#}\n")),
            _ => drawn.push_str(&format!("{entry}\n")),
        }
    }
    drawn
}
