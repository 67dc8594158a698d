//! `events`: documents as the UI message stream of the AI SDK (formats.md §5), written at once or played.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;

use super::inputs::{self, Input, Paths, Unusable};
use super::{Common, Status, unless_reader_left};
use crate::events::{Deltas, events_of_document};

const EXAMPLES: &str = "\
Examples:
  chatls events chat.md                       one JSON object a line
  chatls events --sse chat.md                 as a server sends it
  chatls events --sse --delay 40 chat.md      played: a word every 40 ms";

/// The arguments of `events`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Events {
    #[command(flatten)]
    paths: Paths,
    /// Write server-sent events, ending in `[DONE]`
    #[arg(long)]
    sse: bool,
    /// Wait so many milliseconds before each event, and write text word by word, as a model does
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
}

/// Writes the events of all that is named; of several documents one stream after the other.
pub(super) fn run(command: &Events, common: &Common) -> io::Result<Status> {
    let mut out = io::BufWriter::new(io::stdout());
    let mut unusable = Unusable::default();
    let summary = inputs::for_each(&command.paths, common, |input| match input {
        Input::Document(_, document) => {
            let deltas = if command.delay.is_some() { Deltas::Words } else { Deltas::Whole };
            for event in events_of_document(&document, deltas) {
                if let Some(delay) = command.delay {
                    out.flush()?;
                    std::thread::sleep(Duration::from_millis(delay));
                }
                match command.sse {
                    true => write!(out, "data: {event}\n\n")?,
                    false => writeln!(out, "{event}")?,
                }
            }
            if command.sse { out.write_all(b"data: [DONE]\n\n") } else { Ok(()) }
        }
        // What is wrong in a configuration is for `check` to say; what makes it unusable is a failure.
        Input::Problem(..) => Ok(()),
        Input::Fatal(file, problem) => unusable.tell(file, problem),
    })?;
    unless_reader_left(out.flush())?;
    Ok(if summary.failed { Status::Failed } else { Status::Clean })
}
