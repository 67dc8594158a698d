//! `events`: converts documents to the UI message stream of the AI SDK (formats.md §5): printed at
//! once, played with delays, or served.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use clap::Args;

use super::escape::Escaping;
use super::inputs::{self, PathArgs, TextHolding};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, refused};
use crate::document::Document;
use crate::events::{Deltas, events_of_document};

mod serve;

const EXAMPLES: &str = "\
Examples:
  chatls events chat.md                       one JSON object a line
  chatls events --sse chat.md                 as a server sends it
  chatls events --sse --delay 40 chat.md      played: a word every 40 ms
  chatls events --serve 4000 --delay 40 chat.md   a chat endpoint for a front end: http://127.0.0.1:4000/api/chat";

/// The end of a stream of server-sent events.
const DONE: &str = "data: [DONE]\n\n";

/// The arguments of `events`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct EventsArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Write server-sent events, terminated by `[DONE]`
    #[arg(long)]
    sse: bool,
    /// Delay between events in milliseconds; text is streamed word by word
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
    /// Serve chat requests over HTTP at PORT or HOST:PORT (0: any free port). Each user message
    /// gets the next document, which is read again
    #[arg(long, value_name = "ADDR", value_parser = address, conflicts_with_all = ["sse", "records"])]
    serve: Option<SocketAddr>,
    /// Additional allowed host or origin name. Repeatable
    #[arg(long, value_name = "NAME", requires = "serve")]
    allow_host: Vec<String>,
}

/// Parses an address; a port alone means this machine.
fn address(written: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = written.strip_prefix(':').unwrap_or(written).parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let found = written.to_socket_addrs().map_err(|_| "neither a port nor HOST:PORT".to_owned())?;
    // `localhost` has several addresses; IPv4 is preferred, as in the documentation.
    found.min_by_key(SocketAddr::is_ipv6).ok_or_else(|| "host not found".to_owned())
}

impl EventsArgs {
    fn events(&self, document: &Document) -> Vec<String> {
        events_of_document(
            document,
            if self.delay.is_some() { Deltas::OnePerWord } else { Deltas::OnePerText },
        )
    }
}

/// Formats `event` as a server-sent event.
fn framed(event: &str) -> String {
    format!("data: {event}\n\n")
}

/// Runs `events`: writes the streams of all documents, one after the other, or serves them.
pub(super) fn run(command: &EventsArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    match command.serve {
        Some(address) => serve(address, command, common),
        None => write(command, common),
    }
}

fn write(command: &EventsArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let mut out = Escaping::json(io::BufWriter::new(io::stdout()));
    let make = |_: &str, document: Document| command.events(&document);
    let summary = inputs::for_each(&command.paths, common, TextHolding::Parts, make, |_, events| {
        for event in events {
            if let Some(delay) = command.delay {
                out.flush()?;
                std::thread::sleep(Duration::from_millis(delay));
            }
            match command.sse {
                true => out.write_all(framed(&event).as_bytes())?,
                false => writeln!(out, "{event}")?,
            }
        }
        if command.sse { out.write_all(DONE.as_bytes()) } else { Ok(()) }
    })?;
    summary.finish(&mut out, ExitStatus::Clean)
}

/// Serves the documents that exist now. Their content is read again for each response.
fn serve(address: SocketAddr, command: &EventsArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if command.paths.has_stdin() {
        return refused("standard input cannot be served");
    }
    let (mut names, mut paths) = (Vec::new(), Vec::new());
    let summary = inputs::for_each(
        &command.paths,
        common,
        TextHolding::Parts,
        |_, _| (),
        |file, ()| {
            names.push(file.display_name.to_owned());
            paths.extend(file.path.map(Path::to_owned));
            Ok(())
        },
    )?;
    if summary.failed {
        return Ok(ExitStatus::Failed);
    }
    if names.is_empty() {
        return refused("there are no documents to serve");
    }
    let delay = command.delay.map(Duration::from_millis);
    let hosts = command.allow_host.iter().map(|name| name.to_lowercase()).collect();
    let (command, common) = (command.clone(), common.clone());
    let events = move |index: usize| {
        let mut found = None;
        let paths = PathArgs::of_file(paths.get(index)?.clone());
        let make = |_: &str, document: Document| command.events(&document);
        let read = inputs::for_each(&paths, &common, TextHolding::Parts, make, |_, events| {
            found = Some(events);
            Ok(())
        });
        read.inspect_err(|error| print_error(&error.to_string())).ok()?;
        found
    };
    serve::serve(address, serve::StreamOptions { hosts, names, events: Box::new(events), delay })?;
    Ok(ExitStatus::Clean)
}
