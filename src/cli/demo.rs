//! `demo`: plays an editing session with the real server, and draws it as an editor would.
//!
//! The server is a process of the same program, started as editors start it. All drawn diagnostics
//! and folds come from it.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::{Value, json};

use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{printable_path, read, refused, stdout_has_escapes};
use crate::document::Language;
use crate::text::Text;

mod client;
mod editor;
mod frame;
mod player;
mod script;

use client::{DemoClient, DemoError};
use editor::Editor;
use player::{FrameSize, Player};
use script::{sample_scenes, scenes_of_file};

const SAMPLE: &str = include_str!("../../samples/demo.chat.md");
const SAMPLE_NAME: &str = "demo.chat.md";

/// Maximum size of a file in bytes. The server supports larger ones, but playing them would take
/// too long.
const LARGEST: u64 = 8 << 20;

const EXAMPLES: &str = "\
Examples:
  chatls demo                    a session on a sample transcript
  chatls demo --speed 3          the same, faster
  chatls demo my.chat.md         a session on a file of yours; the file is not written";

/// The arguments of `demo`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DemoArgs {
    /// A transcript to play with instead of the sample; it is not written
    file: Option<PathBuf>,
    /// Playback speed
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Do not pause between keystrokes
    #[arg(long)]
    no_delay: bool,
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed >= 0.01 && speed.is_finite() => Ok(speed),
        _ => Err("expected a number like 0.5 or 3".to_owned()),
    }
}

/// Runs `demo`.
pub(super) fn run(command: &DemoArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let delay = if command.no_delay { 0.0 } else { 1.0 / command.speed };
    // Without escape sequences, frames cannot be drawn in place.
    let has_color = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let terminal = terminal_size::terminal_size().filter(|_| has_color && stdout_has_escapes());
    let mut player = Player::on(
        terminal.map(|(width, height)| FrameSize { width: width.0.into(), height: height.0.into() }),
        delay,
    );
    match play(command, common, &mut player) {
        Ok(()) => Ok(ExitStatus::Clean),
        Err(stop) => match stop.downcast::<io::Error>() {
            Ok(error) => Err(*error),
            Err(failure) => refused(format!("the demo stopped: {failure}")),
        },
    }
}

/// The reason why a session ended early: an [`io::Error`] of the output, or a [`DemoError`].
type DemoStop = Box<dyn Error + Send + Sync>;

fn play(command: &DemoArgs, common: &CommonArgs, player: &mut Player) -> Result<(), DemoStop> {
    let mut server = Command::new(std::env::current_exe()?);
    if let Some(config) = &common.config {
        server.arg("--config").arg(config);
    }
    server.arg("serve");
    let (editor, scenes, name) = match &command.file {
        None => {
            // The sample's tools are known, so that the demo can misspell one.
            let settings = json!({"tools": ["preset:file-tools"]});
            let client = DemoClient::spawn(&mut server, settings.clone())?;
            let uri = format!("untitled:{SAMPLE_NAME}");
            let editor = Editor::open(client, &uri, "markdown", SAMPLE, &settings)?;
            (editor, sample_scenes(), SAMPLE_NAME.to_owned())
        }
        Some(path) => {
            let text = text_of(path)?;
            let path = std::path::absolute(path)?;
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            let language = Language::of("", &name, &Text::new(&text));
            let language_id = language_id(language, &path);
            let client = DemoClient::spawn(&mut server, Value::Null)?;
            let uri = url::Url::from_file_path(&path)
                .map_err(|()| format!("`{}` has no file URI", printable_path(&path)))?;
            let mut editor = Editor::open(client, uri.as_str(), language_id, &text, &Value::Null)?;
            let scenes = scenes_of_file(&mut editor, language)?;
            (editor, scenes, name)
        }
    };
    player.play(editor, &scenes, &name)
}

/// Reads a file, unless it is too large.
fn text_of(path: &Path) -> Result<String, DemoError> {
    // If the metadata cannot be read, reading the file fails with a better error.
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > LARGEST {
        let (name, mebibytes) = (printable_path(path), LARGEST >> 20);
        return Err(format!(
            "`{name}` is larger than the limit of {mebibytes} MiB for demos; `chatls check` reads it"
        ));
    }
    read(path).map_err(|reason| format!("cannot read `{}`: {reason}", printable_path(path)))
}

fn language_id(language: Language, path: &Path) -> &'static str {
    match (language, path.extension().and_then(|extension| extension.to_str())) {
        (Language::Markdown, _) => "markdown",
        (Language::Org, _) => "org",
        (Language::Json, _) => "json",
        (Language::Log, Some("sse")) => "sse",
        (Language::Log, Some("ndjson")) => "ndjson",
        (Language::Log, _) => "jsonl",
    }
}
