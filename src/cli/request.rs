//! `request`: prints the request that continues a conversation.

use std::io::{self, Write};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::escape::Escaping;
use super::inputs::{self, PathArgs, TextHolding, arguments};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, print_warning, printable, refused};
use crate::document::Document;
use crate::features::chat_forms::ChatError;
use crate::features::chat_forms::request::{REQUEST_FORMS, RequestForm, RequestOptions, write_request};
use crate::prose::counted;

const EXAMPLES: &str = "\
Nothing is sent. The tools are those of the configuration (see `chatls tools`), or those that the
conversation lists itself.

Examples:
  chatls request --to anthropic --model claude-opus-4-5 chat.md
  chatls request --to openai --line 40 chat.md    up to the message at line 40
  chatls request --to openai --model gpt-5 chat.md |
    curl -H \"Authorization: Bearer $OPENAI_API_KEY\" --json @- https://api.openai.com/v1/chat/completions";

/// The arguments of `request`.
#[derive(Args, Debug)]
// A record has no cursor, and several requests are not one.
#[command(after_help = EXAMPLES, mut_args(arguments::required_paths))]
pub(super) struct RequestArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Server that takes the request
    #[arg(long, value_name = "SERVER", value_parser = forms())]
    to: String,
    /// Line of the last message in the request, from 1. Default: the last line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
    /// Name of the model. For openai and anthropic
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Maximum number of tokens of the answer. For openai, and for anthropic, where the default is
    /// 4096
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// Ask for the answer as a stream. For openai and anthropic
    #[arg(long)]
    stream: bool,
}

fn forms() -> PossibleValuesParser {
    let forms = REQUEST_FORMS.iter().map(|form| PossibleValue::new(form.name).help(form.description));
    forms.collect::<Vec<_>>().into()
}

/// Runs `request`.
pub(super) fn run(command: &RequestArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if !command.paths.is_one_file() {
        return refused("a request has one conversation: name one file");
    }
    let Some(form) = REQUEST_FORMS.iter().find(|form| form.name == command.to) else {
        return Ok(ExitStatus::Failed);
    };
    let ignored = [("--model", command.model.is_some()), ("--max-tokens", command.max_tokens.is_some())];
    let ignored = ignored.into_iter().chain([("--stream", command.stream)]);
    if let Some((option, _)) = ignored.filter(|_| !form.has_model).find(|(_, is_given)| *is_given) {
        return refused(format!("`{option}` would do nothing with `--to {}`", form.name));
    }
    let mut out = Escaping::json(io::stdout());
    let mut status = ExitStatus::Clean;
    let make = |_: &str, document: Document| written(command, form, &document);
    let summary = inputs::for_each(&command.paths, common, TextHolding::Parts, make, |file, written| {
        let name = printable(file.display_name);
        match written {
            Ok((request, warnings)) => {
                for warning in warnings {
                    print_warning(&format!("`{name}`: {warning}"));
                }
                out.write_all(request.as_bytes())
            }
            Err(reason) => {
                print_error(&format!("`{name}`: {reason}"));
                status = ExitStatus::Failed;
                Ok(())
            }
        }
    })?;
    summary.finish(&mut out, status)
}

/// The request and its warnings, or the reason why there is none.
fn written(
    command: &RequestArgs,
    form: &RequestForm,
    document: &Document,
) -> Result<(String, Vec<String>), String> {
    let at = command.line.map(|line| end_of_line(document, line)).transpose()?;
    let options = RequestOptions {
        at,
        model: command.model.clone(),
        max_tokens: command.max_tokens,
        stream: command.stream,
    };
    let written = write_request(document, form, &options).map_err(|error| match error {
        ChatError::Several(count) => {
            format!("it has {count} conversations: choose the one at a line with `--line N`")
        }
        other => other.to_string(),
    })?;
    let warnings = written.warnings(form, &options);
    Ok((written.text, warnings))
}

/// The byte at the end of the line `line`, from 1. The error reports a line that does not exist.
fn end_of_line(document: &Document, line: u64) -> Result<usize, String> {
    let text = document.text();
    let count = text.line_count();
    let index = usize::try_from(line - 1).ok().filter(|index| *index < count);
    let index = index.ok_or_else(|| format!("there is no line {line}: it has {}", counted(count, "line")))?;
    Ok(text.line_content(index).end)
}
