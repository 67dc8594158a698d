//! `check --show-settings`: prints the settings of a document and the origin of each.

use std::io::{self, Write};
use std::path::Path;

use super::CheckArgs;
use crate::call::ChatApi;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, printable, printable_path, slashed, unless_reader_left};
use crate::config::{ConfigLocation, Files, Loaded, PAYLOADS, PROTOCOLS, Settings};
use crate::diagnostic::{Code, Severity};
use crate::files::DiskFiles;
use crate::never::OrNever;

/// Prints the settings of each file given by name; for a folder, the settings of a document in it.
pub(super) fn run(command: &CheckArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let config = common.config_path()?;
    let here = std::env::current_dir()?;
    let mut loader = common.loader().select(command.selected.selection());
    let mut out = io::BufWriter::new(io::stdout());
    let mut status = ExitStatus::Clean;
    for path in command.paths.named() {
        let absolute = std::path::absolute(path)?;
        let document = if absolute.is_dir() { absolute.join("chat.md") } else { absolute };
        let place = ConfigLocation::of_file(&document, &here, config.as_deref());
        let loaded = loader.load(&DiskFiles, &place);
        if !loaded.usable {
            print_error(&format!("the configuration of `{}` is invalid", printable_path(path)));
            status = ExitStatus::Failed;
            continue;
        }
        let origins = SettingsOrigins::of(&loaded, command);
        unless_reader_left(write(&mut out, path, &loaded, &origins))?;
    }
    unless_reader_left(out.flush())?;
    Ok(status)
}

fn write(out: &mut dyn Write, path: &Path, loaded: &Loaded, origins: &SettingsOrigins) -> io::Result<()> {
    let settings = &loaded.settings;
    writeln!(out, "# {}", printable_path(path))?;
    let mut line = |key: &str, value: String, origin: String| {
        let line = format!("{key} = {value}");
        writeln!(out, "{line:<48} # {}", printable(&origin))
    };
    let included = if settings.enabled { "true" } else { "false" };
    line("checked", included.to_owned(), origins.any(&["enable", "include", "exclude"]))?;
    let mut sources: Vec<&str> = settings.registry.tools.values().map(|tool| tool.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    let (hints, lenses) = (&settings.hints, &settings.lenses);
    let (turns, compare) = (&settings.turns, &settings.compare);
    let keys = [
        ("tools", list(&sources)),
        ("protocol", text(name_in(&PROTOCOLS, &settings.protocol))),
        ("api", text(api(settings.api))),
        ("fence.languages", list(&settings.fence_languages)),
        ("format.payload", text(name_in(&PAYLOADS, &settings.format.payload))),
        ("format.indent", settings.format.indent.to_string()),
        ("hints.batch", hints.batch.to_string()),
        ("hints.result", hints.result.to_string()),
        ("hints.id", hints.id.to_string()),
        ("lenses.batch", lenses.batch.to_string()),
        ("lenses.pending", lenses.pending.to_string()),
        ("lenses.run", lenses.run.to_string()),
        ("turns.user", list(&turns.user)),
        ("turns.assistant", list(&turns.assistant)),
        ("turns.system", list(&turns.system)),
        ("compare.ignore", list(&compare.ignored)),
        ("compare.match", list(&compare.accepted)),
        ("compare.mask", list(&compare.masks)),
    ];
    for (key, value) in keys {
        line(key, value, origins.of_key(key))?;
    }
    for code in Code::ALL.iter().copied() {
        let severity = settings.severity(code).map_or("off", Severity::name);
        line(&format!("lint.{}", code.name()), text(severity), origins.of_code(code, settings))?;
    }
    writeln!(out)
}

/// The origins of settings: the configuration files, the nearest first.
struct SettingsOrigins {
    files: Vec<(String, toml::Table)>,
    selects: bool,
}

impl SettingsOrigins {
    fn of(loaded: &Loaded, command: &CheckArgs) -> Self {
        // A configuration that another one extends may have any name.
        let registries: Vec<_> = loaded.settings.registry.files.values().collect();
        let table = |path: &std::path::PathBuf| {
            let text = DiskFiles.read(path).ok().filter(|_| !registries.contains(&path))?;
            Some((shown(path), text.parse::<toml::Table>().ok()?))
        };
        Self { files: loaded.sources.iter().filter_map(table).collect(), selects: command.leaves_out() }
    }

    /// The file that sets the key `path`, a dotted path of tables.
    fn of_key(&self, path: &str) -> String {
        let found = self.files.iter().find(|(_, table)| value_at(table, path).is_some());
        found.map_or_else(|| "default".to_owned(), |(file, _)| file.clone())
    }

    fn any(&self, keys: &[&str]) -> String {
        let found = keys.iter().map(|key| self.of_key(key)).find(|origin| origin != "default");
        found.unwrap_or_else(|| "default".to_owned())
    }

    fn of_code(&self, code: Code, settings: &Settings) -> String {
        let key = format!("lint.{}", code.name());
        let severity = settings.severity(code);
        let has_severity =
            |value: &toml::Value| value.as_str() == Some(severity.map_or("off", Severity::name));
        for (file, table) in &self.files {
            let overrides = table.get("override").and_then(toml::Value::as_array);
            let overridden = overrides.into_iter().flatten().filter_map(toml::Value::as_table);
            if overridden.filter_map(|table| value_at(table, &key)).any(has_severity)
                && !value_at(table, &key).is_some_and(has_severity)
            {
                return format!("{file}, [[override]]");
            }
            if value_at(table, &key).is_some_and(has_severity) {
                return file.clone();
            }
        }
        match severity == code.default_severity() {
            true => "default".to_owned(),
            false if self.selects => "--select, --ignore".to_owned(),
            false => "configuration".to_owned(),
        }
    }
}

fn value_at<'t>(table: &'t toml::Table, path: &str) -> Option<&'t toml::Value> {
    match path.split_once('.') {
        None => table.get(path),
        Some((name, rest)) => value_at(table.get(name)?.as_table()?, rest),
    }
}

/// The path relative to the working folder, if it is below that.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    slashed(path.strip_prefix(here).unwrap_or(path))
}

fn text(value: &str) -> String {
    toml::Value::from(value).to_string()
}

fn list<T: AsRef<str>>(values: &[T]) -> String {
    format!("[{}]", values.iter().map(|value| text(value.as_ref())).collect::<Vec<_>>().join(", "))
}

fn api(api: Option<ChatApi>) -> &'static str {
    match api {
        None => "auto",
        Some(ChatApi::Anthropic) => "anthropic",
        Some(ChatApi::OpenAi | ChatApi::Responses) => "openai",
    }
}

/// The name of `value` in `names`.
fn name_in<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, it)| it == value).map(|(name, _)| *name).or_never()
}
