//! `trust`: lists what the configuration would start and the user's consents; grants and revokes
//! them.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::consent::{consent, facts, workspace};
use super::escape::Escaping;
use super::tools::load_at;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, print_warning, printable, printable_path, unless_reader_left};
use crate::diagnostic::Code;
use crate::rules::secrets::redacted;
use crate::run::question::masked;
use crate::run::subject::without_keys;
use crate::run::trust::Consent;
use crate::run::{Environment, KnownRunner, SubjectHash, TrustStore, known_runners};
use crate::text::visible::visible;

const EXAMPLES: &str = "\
Examples:
  chatls trust                      what the configuration here would start, with hashes
  chatls trust git                  ask for consent to the server `git`
  chatls trust --allow 3f0a…        agree to exactly this, for scripts
  chatls trust --ask-again 3f0a…    ask before each of its tools that was always allowed
  chatls trust --revoke-all         take all consents back";

/// The arguments of `trust`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct TrustArgs {
    /// Servers and programs to ask for. Without names, all are listed
    names: Vec<String>,
    /// Agree to the server or program with this hash, as the configuration would start it
    #[arg(long, value_name = "HASH", conflicts_with = "names")]
    allow: Vec<String>,
    /// Take the consent with this hash back
    #[arg(long, value_name = "HASH", conflicts_with_all = ["names", "allow"])]
    revoke: Vec<String>,
    /// Ask again before the tools of the consent with this hash, which were always allowed
    #[arg(long, value_name = "HASH", conflicts_with_all = ["names", "allow", "revoke"])]
    ask_again: Vec<String>,
    /// Take all consents back
    #[arg(long, conflicts_with_all = ["names", "allow", "revoke", "ask_again"])]
    revoke_all: bool,
    /// Folder or transcript whose configuration is used
    #[arg(long, value_name = "PATH", default_value = ".")]
    at: PathBuf,
    /// Output format
    #[arg(long, default_value = "human")]
    format: TrustFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TrustFormat {
    /// For people
    Human,
    /// For programs: JSON Lines
    Jsonl,
}

/// Runs `trust`.
pub(super) fn run(command: &TrustArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let store = TrustStore::of_user()?;
    if command.revoke_all {
        for consent in store.consents()? {
            store.revoke(&consent.hash)?;
        }
        return Ok(ExitStatus::Clean);
    }
    if !command.revoke.is_empty() {
        return for_each_hash(&command.revoke, |hash| store.revoke(hash));
    }
    if !command.ask_again.is_empty() {
        return for_each_hash(&command.ask_again, |hash| store.ask_again(hash));
    }
    let Some(loaded) = load_at(&command.at, common, &[Code::Config])? else { return Ok(ExitStatus::Failed) };
    let runners = known_runners(&loaded.settings.run, &workspace(common), &Environment::of_process());
    if !command.allow.is_empty() {
        return for_each(&command.allow, |hash| allow(&store, &runners, hash));
    }
    if !command.names.is_empty() {
        return for_each(&command.names, |name| ask(&store, &runners, name));
    }
    unless_reader_left(list(&store, &runners, command.format))?;
    Ok(ExitStatus::Clean)
}

/// Calls `act`, which returns whether it succeeded, for each of `words`.
fn for_each(words: &[String], mut act: impl FnMut(&str) -> io::Result<bool>) -> io::Result<ExitStatus> {
    let mut status = ExitStatus::Clean;
    for word in words {
        if !act(word)? {
            status = ExitStatus::Failed;
        }
    }
    Ok(status)
}

/// Calls `change`, which returns whether the consent exists, for each of `hashes`.
fn for_each_hash(
    hashes: &[String],
    change: impl Fn(&SubjectHash) -> io::Result<bool>,
) -> io::Result<ExitStatus> {
    for_each(hashes, |text| {
        let changed = SubjectHash::parse(text).map(|hash| change(&hash)).transpose()?;
        if changed != Some(true) {
            print_error(&format!("there is no consent with the hash `{text}`"));
        }
        Ok(changed == Some(true))
    })
}

fn allow(store: &TrustStore, runners: &[KnownRunner], text: &str) -> io::Result<bool> {
    let hash = SubjectHash::parse(text);
    let mut subjects = runners.iter().filter_map(|runner| runner.subject.as_ref().ok());
    let Some(subject) = subjects.find(|subject| Some(subject.hash()) == hash) else {
        print_error(&format!(
            "no server or program here has the hash `{text}`: it may have changed; `chatls trust` lists them"
        ));
        return Ok(false);
    };
    store.grant(subject)?;
    Ok(true)
}

fn ask(store: &TrustStore, runners: &[KnownRunner], name: &str) -> io::Result<bool> {
    let mut found = runners.iter().filter(|runner| runner.name == *name).peekable();
    if found.peek().is_none() {
        print_error(&format!("there is no server or program `{name}`"));
        return Ok(false);
    }
    let mut agrees = true;
    for runner in found {
        agrees &= consent(store, runner)?.is_some();
    }
    Ok(agrees)
}

fn list(store: &TrustStore, runners: &[KnownRunner], format: TrustFormat) -> io::Result<()> {
    let mut consents = store.consents()?;
    if runners.is_empty() && consents.is_empty() {
        print_warning("no server or program is configured here, and none was agreed to elsewhere");
    }
    let mut out = Escaping::json(io::BufWriter::new(io::stdout()));
    for runner in runners {
        let hash = runner.subject.as_ref().ok().map(|subject| subject.hash());
        let known = consents.iter().position(|consent| Some(&consent.hash) == hash.as_ref());
        let consent = known.map(|known| consents.remove(known));
        match format {
            TrustFormat::Human => print_runner(&mut out, runner, consent.as_ref())?,
            TrustFormat::Jsonl => writeln!(out, "{}", line_of(runner, consent.as_ref()))?,
        }
    }
    for consent in &consents {
        match format {
            TrustFormat::Human => {
                let text = visible(&redacted(&described(&consent.subject))).into_owned();
                writeln!(out, "elsewhere: agreed {}\n  {text}\n  {}", consent.time, consent.hash)?;
                print_tools(&mut out, consent)?;
            }
            TrustFormat::Jsonl => {
                let subject = without_secrets(&consent.subject);
                let line = json!({
                    "hash": consent.hash.as_str(),
                    "agreed": consent.time,
                    "alwaysAllowed": consent.tools,
                    "subject": subject,
                });
                writeln!(out, "{line}")?;
            }
        }
    }
    out.flush()
}

fn print_runner(out: &mut impl Write, runner: &KnownRunner, consent: Option<&Consent>) -> io::Result<()> {
    let state = match (consent, &runner.subject) {
        (Some(consent), _) => format!("agreed {}", consent.time),
        (None, Ok(_)) => "not agreed".to_owned(),
        (None, Err(reason)) => format!("cannot be started: {}", printable(reason)),
    };
    let file = printable_path(&runner.file);
    writeln!(out, "{} {}: {state}  [{file}]", runner.kind.name(), visible(&runner.name))?;
    if let Ok(subject) = &runner.subject {
        writeln!(out, "{}  {}", facts(subject), subject.hash())?;
    }
    consent.map_or(Ok(()), |consent| print_tools(out, consent))
}

/// Prints the tools that run without a question.
fn print_tools(out: &mut impl Write, consent: &Consent) -> io::Result<()> {
    if consent.tools.is_empty() {
        return Ok(());
    }
    let tools: Vec<_> = consent.tools.iter().map(|tool| format!("`{}`", visible(tool))).collect();
    writeln!(out, "  always allowed: {}", tools.join(", "))
}

fn line_of(runner: &KnownRunner, consent: Option<&Consent>) -> Value {
    let mut line = json!({
        "kind": runner.kind.name(),
        "name": runner.name,
        "file": runner.file.to_string_lossy(),
        "agreed": consent.map(|consent| consent.time.as_str()),
        "alwaysAllowed": consent.map(|consent| &consent.tools),
    });
    match &runner.subject {
        Ok(subject) => {
            line["hash"] = subject.hash().as_str().into();
            line["subject"] = without_secrets(&serde_json::from_str(&subject.text()).unwrap_or_default());
        }
        Err(reason) => line["unusable"] = reason.as_str().into(),
    }
    line
}

/// A subject without secrets, for display.
fn without_secrets(subject: &Value) -> Value {
    let mut shown = masked(subject);
    if let Some(url) = subject["url"].as_str() {
        shown["url"] = redacted(&without_keys(url)).into();
    }
    shown
}

/// A stored subject in one line.
fn described(subject: &Value) -> String {
    let folder = subject["folder"].as_str().unwrap_or_default();
    match subject["url"].as_str() {
        Some(url) => format!("{} for {folder}", without_keys(url)),
        None => {
            let words = subject["command"].as_array().into_iter().flatten().filter_map(Value::as_str);
            format!("{} in {folder}", words.collect::<Vec<_>>().join(" "))
        }
    }
}
