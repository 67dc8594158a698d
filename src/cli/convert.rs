//! `convert`: converts the tool calls of transcripts to another dialect, or whole conversations to
//! another form of messages, and reports lost information.

use std::io::{self, Write};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::inputs::{self, InputFile, PathArgs, TextHolding, arguments};
use super::progress::stdout_beside_line;
use super::rewrite::{rewrite_file, warn_if_session};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, print_warning, printable, refused};
use crate::dialect::Dialect;
use crate::dialect::log::DIALECT as MESSAGES;
use crate::document::{Document, Language};
use crate::features::chat_forms::{
    CHAT_FORMS, ChatForm, WrittenChats, pending_warning, write_form, write_markdown,
};
use crate::features::conversion::{
    ConversionError, ConversionPlan, ConversionScope, RewrittenLog, checked_plan, log_as_markdown, targets,
};
use crate::prose::counted;

const EXAMPLES: &str = "\
Examples:
  chatls convert --to tag chat.md             to standard output
  chatls convert --to fence --write chats/    every transcript below the folder, in its place
  chatls convert --to tag --lossy a.md        also where ids or states are lost
  chatls convert --to fence session.jsonl     a session log as a Markdown transcript
  chatls convert --to anthropic chat.md       the messages of a request
  chatls convert --to finetune chats/ >train.jsonl    a line for each transcript";

/// The arguments of `convert`.
#[derive(Args, Debug)]
// Records have no files to rewrite, and folders cannot be printed as one document.
#[command(after_help = EXAMPLES, mut_args(arguments::required_paths))]
pub(super) struct ConvertArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Target dialect, or form of messages
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    to: String,
    /// Write the files in place
    #[arg(long, short, aliases = ["in-place", "fix"])]
    write: bool,
    /// Also convert with loss of information; the losses are printed
    #[arg(long)]
    lossy: bool,
}

fn dialects() -> PossibleValuesParser {
    let dialects = targets().map(|(dialect, words)| PossibleValue::new(dialect.name).help(words));
    let forms = CHAT_FORMS.iter().map(|form| PossibleValue::new(form.name).help(form.description));
    dialects.chain(forms).collect::<Vec<_>>().into()
}

/// Runs `convert`.
pub(super) fn run(command: &ConvertArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if let Some(form) = CHAT_FORMS.iter().find(|form| form.name == command.to) {
        return run_form(command, common, form);
    }
    if !command.write && !command.paths.is_one_file() {
        return refused(
            "several documents cannot be printed as one: name one file, or rewrite them in place with --write",
        );
    }
    let Some((to, words)) = targets().find(|(dialect, _)| dialect.name == command.to) else {
        return Ok(ExitStatus::Failed);
    };
    let mut out = io::BufWriter::new(stdout_beside_line(io::stdout()));
    let mut status = ExitStatus::Clean;
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        match convert_one(command, (to, words), file, &document) {
            Ok(printed) => out.write_all(printed.as_bytes()),
            Err(reason) => {
                print_error(&format!("`{}` is unchanged: {reason}", printable(file.display_name)));
                status = ExitStatus::Failed;
                Ok(())
            }
        }
    })?;
    summary.finish(&mut out, status)
}

/// Writes whole conversations in `form`.
fn run_form(command: &ConvertArgs, common: &CommonArgs, form: &ChatForm) -> io::Result<ExitStatus> {
    let refusal = match () {
        () if command.write => Some("messages are JSON, and need another name: print them without --write"),
        () if !form.lines && !command.paths.is_one_file() => {
            Some("several documents cannot be printed as one: name one file, or use `--to finetune`")
        }
        () => None,
    };
    if let Some(refusal) = refusal {
        return refused(refusal);
    }
    let mut out = io::BufWriter::new(stdout_beside_line(io::stdout()));
    let mut status = ExitStatus::Clean;
    let make =
        |_: &str, document: Document| write_form(&document, form).map_err(|refusal| refusal.to_string());
    let summary = inputs::for_each(&command.paths, common, TextHolding::Parts, make, |file, written| {
        let pending = written.as_ref().ok().filter(|_| form.is_sent).map_or(0, |written| written.pending);
        match written.and_then(|written| accepted(command, file, written, form.description)) {
            Ok(text) => {
                if let Some(warning) = pending_warning(pending) {
                    print_warning(&format!("`{}`: {warning}", printable(file.display_name)));
                }
                out.write_all(text.as_bytes())
            }
            Err(reason) => {
                print_error(&format!("`{}` is left out: {reason}", printable(file.display_name)));
                status = ExitStatus::Failed;
                Ok(())
            }
        }
    })?;
    summary.finish(&mut out, status)
}

/// Reports the losses of conversations. The error are losses that the user does not accept.
fn accepted(
    command: &ConvertArgs,
    file: InputFile<'_>,
    written: WrittenChats,
    words: &str,
) -> Result<String, String> {
    let losses = written.losses.words();
    if losses.is_empty() {
        return Ok(written.text);
    }
    let loss = format!("converting to {words} {losses}");
    accept(command, file, loss)?;
    Ok(written.text)
}

/// Prints a loss that the user accepts; else it is the error.
fn accept(command: &ConvertArgs, file: InputFile<'_>, loss: String) -> Result<(), String> {
    if !command.lossy {
        return Err(format!("{loss}; `--lossy` accepts that"));
    }
    print_warning(&format!("`{}`: {loss}", printable(file.display_name)));
    Ok(())
}

/// Converts a document. Returns the text to print, or the reason why it cannot be converted.
fn convert_one(
    command: &ConvertArgs,
    (to, words): (&Dialect, &str),
    file: InputFile<'_>,
    document: &Document,
) -> Result<String, String> {
    if !document.settings().enabled {
        return Ok(document.text().to_string());
    }
    if document.has_messages() && !to.lines {
        if command.write && file.path.is_some() {
            return Err("a log converted to Markdown needs another name; print it without --write".to_owned());
        }
        if command.write {
            warn_if_session(file);
        }
        let written = write_markdown(document, to).map_err(|refusal| refusal.to_string())?;
        return accepted(command, file, written, words);
    }
    let converted = converted(document, to)?;
    let place = file.path.filter(|_| command.write);
    if command.write {
        warn_if_session(file);
    }
    if place.is_some() && document.language() == Language::Log && !to.lines {
        return Err("a log converted to Markdown needs another name; print it without --write".to_owned());
    }
    if let Some(loss) = losses_message(&converted.plan, words) {
        accept(command, file, loss)?;
    }
    let Some(path) = place else { return Ok(converted.text) };
    if converted.plan.converted > 0 {
        let before = document.text().to_string();
        let written = rewrite_file(file, path, &before, &converted.text);
        written.map_err(|error| format!("cannot write it: {error}"))?;
    }
    Ok(String::new())
}

/// Describes lost and unsupported information; `None` if there is none.
fn losses_message(plan: &ConversionPlan, words: &str) -> Option<String> {
    let losses = plan.losses();
    let lost = (!losses.is_empty())
        .then(|| format!("converting {} to {words} {losses}", counted(plan.converted, "tool call")));
    let left = left_message(plan);
    let records =
        |count: usize| format!("{count} other record{} left out", if count == 1 { " is" } else { "s are" });
    let others = (plan.others > 0).then(|| records(plan.others));
    let parts: Vec<_> = [lost, left, others].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The reason for the first tool call that is not converted, and the number of the others; `None`
/// if there is none.
fn left_message(plan: &ConversionPlan) -> Option<String> {
    let first = plan.first_left.as_ref()?;
    Some(match plan.left - 1 {
        0 => first.to_string(),
        1 => format!("{first}; 1 other tool call is left, too"),
        others => format!("{first}; {others} other tool calls are left, too"),
    })
}

/// Converts the tool uses of `document` to the dialect `to`. The error is the reason why that is
/// not possible.
fn converted(document: &Document, to: &Dialect) -> Result<RewrittenLog, String> {
    let unchanged = || RewrittenLog { text: document.text().to_string(), plan: ConversionPlan::default() };
    let to_messages = "convert it to a form of messages, such as `--to openai`";
    if to.lines && document.has_messages() {
        return Err(format!("its messages are no records of a stream: {to_messages}"));
    }
    if document.language() == Language::Json {
        return Err("it has no messages".to_owned());
    }
    if document.language() == Language::Log {
        if to.lines && document.tool_uses().iter().any(|it| it.dialect == MESSAGES.name) {
            let to_markdown = "convert it to Markdown, such as `--to fence`";
            return Err(format!("its tool calls are no records of a stream: {to_markdown}"));
        }
        if to.lines {
            return Ok(unchanged());
        }
        let converted = log_as_markdown(document, to);
        return match converted {
            Some(converted) if converted.plan.left == 0 => Ok(converted),
            Some(converted) => Err(left_message(&converted.plan).unwrap_or_default()),
            None => Err("its text would change how its tool calls are parsed".to_owned()),
        };
    }
    match checked_plan(document, ConversionScope::Document, to) {
        Ok(plan) => {
            let text = document.edited(&plan.edits).text().to_string();
            Ok(RewrittenLog { text, plan })
        }
        Err(ConversionError::NothingToDo) => Ok(unchanged()),
        Err(refusal) => Err(refusal.to_string()),
    }
}
