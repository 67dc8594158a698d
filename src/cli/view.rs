//! `view`: shows transcripts as chats in the terminal, with one line per batch of tool calls
//! (formats.md §4).

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};

use super::inputs::{self, PathArgs, TextHolding};
use crate::call::UseStatus;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{printable, printable_text, unless_reader_left};
use crate::document::Document;
use crate::features::export;
use crate::features::transcript::{MessagePart, ToolUseGroup, TranscriptMessage, messages};
use crate::prose::code_span;
use crate::text::cut;

const EXAMPLES: &str = "\
Examples:
  chatls view chat.md                  each batch of tool calls in one line
  chatls view --expand run.jsonl       what was called, and what came of it
  chatls view --color always chat.md | less -R
  chatls view --format html chat.md >chat.html      one page to pass on, which needs nothing else
  chatls view --format markdown run.jsonl           a log as Markdown that anything renders";

/// The arguments of `view`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ViewArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Expand batches: one entry per call
    #[arg(long)]
    expand: bool,
    /// Output format
    #[arg(long, default_value = "terminal", conflicts_with = "expand")]
    format: ViewFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ViewFormat {
    /// For the terminal
    Terminal,
    /// One self-contained HTML page for light and dark screens, without scripts; batches expand on
    /// a click
    Html,
    /// Markdown without dialects: calls as lists, results as code
    Markdown,
}

const NAME: Style = AnsiColor::BrightBlue.on_default().bold();
const TOOLS: Style = AnsiColor::Cyan.on_default();
const FAILED: Style = AnsiColor::Red.on_default();
const THINKING: Style = Style::new().dimmed();
/// Maximum number of characters of a reasoning in one line.
const THOUGHT: usize = 100;
const FILE: Style = Style::new().bold();

/// Runs `view`.
pub(super) fn run(command: &ViewArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    match command.format {
        ViewFormat::Terminal => {
            let (out, draw) = (anstream::stdout(), |document: &Document| draw(document, command.expand));
            let heading = |name: &str| format!("{FILE}==> {name} <=={FILE:#}");
            write_texts(command, common, io::BufWriter::new(out), draw, heading)
        }
        ViewFormat::Html => write_page(command, common),
        ViewFormat::Markdown => {
            let (out, heading) = (io::stdout(), |name: &str| format!("# {}", code_span(name)));
            write_texts(command, common, io::BufWriter::new(out), export::markdown, heading)
        }
    }
}

/// Writes the texts that `draw` makes of documents, below headings if there may be several.
fn write_texts(
    command: &ViewArgs,
    common: &CommonArgs,
    mut out: impl Write,
    draw: impl Fn(&Document) -> String + Sync,
    heading: fn(&str) -> String,
) -> io::Result<ExitStatus> {
    let mut gap = "";
    let make = |_: &str, document: Document| draw(&document);
    let summary = inputs::for_each(&command.paths, common, TextHolding::Parts, make, |file, text| {
        let heading = match command.paths.is_one_file() {
            true => String::new(),
            false => format!("{gap}{}\n\n", heading(&printable(file.display_name))),
        };
        gap = "\n";
        write!(out, "{heading}{text}")
    })?;
    summary.finish(&mut out, ExitStatus::Clean)
}

/// Writes one page with all documents. The title is the name of the document; several documents
/// each have a heading.
fn write_page(command: &ViewArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let mut out = io::BufWriter::new(io::stdout());
    let is_one = command.paths.is_one_file();
    let mut begun = false;
    let make = |_: &str, document: Document| export::body(&messages(&document));
    let summary = inputs::for_each(&command.paths, common, TextHolding::Parts, make, |file, body| {
        if !std::mem::replace(&mut begun, true) {
            out.write_all(export::begin(if is_one { file.display_name } else { "Transcripts" }).as_bytes())?;
        }
        let heading = if is_one { String::new() } else { export::heading(file.display_name) };
        write!(out, "{heading}{body}")
    })?;
    let end = if begun { export::end() } else { String::new() };
    unless_reader_left(out.write_all(end.as_bytes()))?;
    summary.finish(&mut out, ExitStatus::Clean)
}

/// Draws `document` as a chat, with blank lines between messages and between their parts.
fn draw(document: &Document, expand: bool) -> String {
    messages(document).iter().map(|message| draw_message(message, expand)).collect::<Vec<_>>().join("\n")
}

fn draw_message(message: &TranscriptMessage, expand: bool) -> String {
    let mut drawn = String::new();
    let name = message.heading();
    if !name.is_empty() {
        drawn.push_str(&format!("{NAME}{}{NAME:#}\n", printable(name)));
    }
    let mut parts = Vec::new();
    for item in &message.items {
        match item {
            MessagePart::Text(text, _) => {
                let text = printable_text(text.trim_matches(['\n', '\r']));
                parts.extend((!text.trim().is_empty()).then(|| format!("{}\n", text.trim_end())));
            }
            MessagePart::Thinking(text, _) => parts.push(draw_thinking(text, expand)),
            MessagePart::Tools(tools) => parts.push(draw_tools(tools, expand)),
        }
    }
    drawn + &parts.join("\n")
}

/// Draws the reasoning of a model: its first line, or all of it.
fn draw_thinking(text: &str, expand: bool) -> String {
    let text = printable_text(text.trim());
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if !expand {
        let more =
            if first.chars().count() > THOUGHT || lines.next().is_some() { " (show details)" } else { "" };
        return format!("{THINKING}💭 {}{more}{THINKING:#}\n", cut(first, THOUGHT));
    }
    let rest: String = lines.map(|line| format!("{THINKING}   {line}{THINKING:#}\n")).collect();
    format!("{THINKING}💭 {first}{THINKING:#}\n{rest}")
}

fn draw_tools(tools: &ToolUseGroup, expand: bool) -> String {
    let label = printable(&tools.label);
    if !expand {
        return format!("{TOOLS}{label} (show details){TOOLS:#}\n");
    }
    let mut drawn = format!("{TOOLS}{label} (hide details){TOOLS:#}\n");
    for tool in &tools.entries {
        let entry = printable_text(&tool.to_string()).into_owned();
        match tool.status {
            UseStatus::Failed => drawn.push_str(&format!("{FAILED}{entry}{FAILED:#}\n")),
            _ => drawn.push_str(&format!("{entry}\n")),
        }
    }
    drawn
}
