//! The subject of a consent: exactly what would be started, or connected to.
//!
//! Everything that decides which code runs is in its text: the command line, the executable that
//! its name leads to, the working folder, the names of the variables, the address, and the content
//! of each file of the project that the command line names. Values of variables are secrets, so the
//! text only contains their digest. Any change makes another subject.

mod files;
mod script;

pub(super) use files::project as project_of;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::config::template::Template;
use crate::config::{AddressSettings, CommandSettings, Files, ServerStart, clean};
use crate::files::DiskFiles;
use crate::rules::secrets::{REDACTED, redacted};
use crate::text::visible::{is_unseen, visible};

/// Exactly what would be started, or connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The command or address.
    pub start: SubjectStart,
    /// The working folder; for an address, the folder of the file that contains it.
    pub folder: PathBuf,
    /// The folders of the project, with links resolved. Consents must not be stored in them.
    pub project: Vec<PathBuf>,
}

/// The ways in which a [`Subject`] is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectStart {
    /// A process.
    Command {
        /// The program as configured.
        program: String,
        /// The absolute path of the executable.
        executable: PathBuf,
        /// The arguments.
        arguments: Vec<Template>,
        /// The variables that are set, by name.
        variables: BTreeMap<String, Template>,
        /// The content of each file of the project that the command line names, by its path: the
        /// SHA-256 in hexadecimal digits, or the size and time of a file that is too long to be
        /// read.
        files: BTreeMap<PathBuf, String>,
    },
    /// An address.
    Address {
        /// The address.
        url: String,
        /// The HTTP headers, by name.
        headers: BTreeMap<String, Template>,
    },
}

/// The SHA-256 of the text of a [`Subject`], as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubjectHash(String);

/// The variables of the environment of this process.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The values by name; by folded name if names are folded.
    variables: BTreeMap<OsString, OsString>,
    /// True if names that differ in case are one, as on Windows.
    folds_names: bool,
    /// True if nothing is asked through the proxies that the variables name.
    pub(super) ignores_proxies: bool,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The environment, whose proxies are ignored if `ignores_proxies`.
    #[must_use]
    pub fn ignoring_proxies(self, ignores_proxies: bool) -> Self {
        Self { ignores_proxies, ..self }
    }

    /// The value of the variable `name`, if it is set and UTF-8.
    pub fn get(&self, name: &str) -> Option<String> {
        self.get_os(name)?.to_str().map(str::to_owned)
    }

    pub(super) fn get_os(&self, name: &str) -> Option<&OsString> {
        self.variables.get(&folded(name.into(), self.folds_names))
    }

    fn new(variables: impl IntoIterator<Item = (OsString, OsString)>, folds_names: bool) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (folded(name, folds_names), value));
        Self { variables: variables.collect(), folds_names, ignores_proxies: false }
    }
}

fn folded(name: OsString, folds: bool) -> OsString {
    match folds {
        true => name.to_str().map_or_else(|| name.to_ascii_uppercase(), |name| name.to_uppercase().into()),
        false => name,
    }
}

impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(variables: I) -> Self {
        Self::new(variables, cfg!(windows))
    }
}

impl Subject {
    /// The subject of a server.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be started, for users.
    pub fn of_server(
        start: &ServerStart,
        workspace: &[PathBuf],
        environment: &Environment,
    ) -> Result<Self, String> {
        match start {
            ServerStart::Command(command) => Self::of_command(command, workspace, environment),
            ServerStart::Address(address) => Self::of_address(address, workspace),
        }
    }

    /// The subject of a command, in a project that also contains the folders `workspace`.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be started, for users.
    pub fn of_command(
        command: &CommandSettings,
        workspace: &[PathBuf],
        environment: &Environment,
    ) -> Result<Self, String> {
        // The text is the same however the folder was reached, and whichever folders are open.
        let folder = DiskFiles.real_path(&command.folder);
        let command = &CommandSettings { folder, ..command.clone() };
        let project_in = |workspace: &[PathBuf]| {
            let folders = [&command.base, &command.folder].map(|folder| files::project(folder, workspace));
            folders.concat()
        };
        let project = project_in(workspace);
        let folder = files::utf8(command.folder.clone())?;
        let executable = files::executable(command, environment)?;
        let mut words = vec![executable.to_string_lossy().into_owned()];
        words.extend(command.program.contains('/').then(|| command.program.clone()));
        // A variable may lead into the project.
        let lookup = |name: &str| environment.get(name);
        words.extend(command.arguments.iter().filter_map(|argument| argument.expand(&lookup).ok()));
        let files = files::contents(&words, &command.folder, &project_in(&[]))?;
        let start = SubjectStart::Command {
            program: command.program.clone(),
            executable,
            arguments: command.arguments.clone(),
            variables: command.variables.clone(),
            files,
        };
        Ok(Self { start, folder, project })
    }

    fn of_address(address: &AddressSettings, workspace: &[PathBuf]) -> Result<Self, String> {
        let start = SubjectStart::Address { url: address.url.clone(), headers: address.headers.clone() };
        let project = files::project(&address.folder, workspace);
        Ok(Self { start, folder: files::utf8(DiskFiles.real_path(&address.folder))?, project })
    }

    /// The text of the subject: JSON with its members in a fixed order, on one line.
    pub fn text(&self) -> String {
        let folder = self.folder.to_string_lossy();
        let value = match &self.start {
            SubjectStart::Command { program, executable, arguments, variables, files } => {
                let words = std::iter::once(program.clone()).chain(arguments.iter().map(Template::to_string));
                let files: Map<_, _> = files
                    .iter()
                    .map(|(path, content)| {
                        (path.to_string_lossy().into_owned(), Value::from(content.as_str()))
                    })
                    .collect();
                json!({
                    "command": words.collect::<Vec<_>>(),
                    "executable": executable.to_string_lossy(),
                    "folder": folder,
                    "variables": names(variables),
                    "values": values_digest(&[&executable.to_string_lossy(), &folder], variables),
                    "files": files,
                })
            }
            SubjectStart::Address { url, headers } => json!({
                "url": url,
                "folder": folder,
                "headers": names(headers),
                "values": values_digest(&[url, &folder], headers),
            }),
        };
        value.to_string()
    }

    /// The hash of the text.
    pub fn hash(&self) -> SubjectHash {
        SubjectHash::of_text(&self.text())
    }

    /// The subject for users who are asked for their consent: a line for each fact, without values
    /// of variables and without secrets. Characters that cannot be seen are escaped.
    pub fn lines(&self) -> Vec<String> {
        self.facts().iter().map(|line| visible(&redacted(line)).into_owned()).collect()
    }

    fn facts(&self) -> Vec<String> {
        let folder = self.folder.display();
        match &self.start {
            SubjectStart::Command { program, executable, arguments, variables, files } => {
                let words = std::iter::once(program.as_str().into())
                    .chain(arguments.iter().map(|argument| argument.to_string().into()));
                let command: Vec<_> = words.map(quoted).collect();
                let mut lines = vec![
                    format!("command: {}", command.join(" ")),
                    format!("program: {}", executable.display()),
                    format!("folder: {folder}, whose other files it may load"),
                ];
                lines.extend(described("variables", variables));
                lines.extend(compared(files));
                lines
            }
            SubjectStart::Address { url, headers } => {
                let mut lines = vec![format!("address: {}", without_keys(url))];
                if is_open(url) {
                    lines.push("warning: everything is sent without encryption".to_owned());
                }
                lines.push(format!("named in: {folder}"));
                lines.extend(described("headers", headers));
                lines
            }
        }
    }

    /// True if `file` is a JSON file of the project, with links resolved: the configuration names
    /// the file of a listing, and may come from an unknown author.
    pub fn may_write_listing(&self, file: &Path) -> bool {
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        is_json && is_in(file, &self.project)
    }

    /// True if the files of the project that the command line names have the same content still.
    pub fn is_current(&self) -> bool {
        match &self.start {
            SubjectStart::Command { files, .. } => {
                files.iter().all(|(path, content)| files::has_content(path, content))
            }
            SubjectStart::Address { .. } => true,
        }
    }
}

impl SubjectHash {
    /// The hash of a text.
    pub fn of_text(text: &str) -> Self {
        Self(hexadecimal(&Sha256::digest(text)))
    }

    /// Reads 64 hexadecimal digits; `None` if `text` is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hash = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SubjectHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The names of `values`, each with the variables to which its value refers.
fn names(values: &BTreeMap<String, Template>) -> Value {
    let name = |(name, value): (&String, &Template)| match value.variables().collect::<Vec<_>>() {
        from if from.is_empty() => json!({"name": name}),
        from => json!({"name": name, "from": from}),
    };
    values.iter().map(name).collect()
}

/// The digest of `values` as written, with the facts `around` them, so that equal values elsewhere
/// have other digests. Values of the variables to which `values` refer are not part of it.
fn values_digest(around: &[&str], values: &BTreeMap<String, Template>) -> Value {
    if values.is_empty() {
        return Value::Null;
    }
    let written: Vec<_> = values.iter().map(|(name, value)| [name.clone(), value.to_string()]).collect();
    hexadecimal(&Sha256::digest(json!([around, written]).to_string())).into()
}

fn described(what: &str, values: &BTreeMap<String, Template>) -> Option<String> {
    let one = |(name, value): (&String, &Template)| match value.variables().collect::<Vec<_>>() {
        from if from.is_empty() => format!("{name} (as in the file)"),
        from if from == [name] => format!("{name} (yours)"),
        from => format!("{name} (from your {})", from.join(", ")),
    };
    let all: Vec<_> = values.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{what}: {}", all.join(", ")))
}

/// Lines on the files whose contents are part of the consent, and on the files compared only by
/// size and time.
fn compared(files: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let (by_size, read): (Vec<_>, Vec<_>) =
        files.iter().partition(|(_, content)| files::is_size_alone(content));
    let list = |files: Vec<(&PathBuf, &String)>| {
        let paths: Vec<_> = files.iter().map(|(path, _)| quoted(path.to_string_lossy())).collect();
        paths.join(", ")
    };
    let mut lines = vec![match read.is_empty() {
        true => "compared: the content of no file; what the command starts is not".to_owned(),
        false => format!("compared: the content of {}; what these start is not", list(read)),
    }];
    if !by_size.is_empty() {
        let most = files::MOST_BYTES >> 20;
        lines.push(format!("compared by size and time alone, over {most} MiB: {}", list(by_size)));
    }
    lines
}

/// A word of a command line, in quotes if it would not be one word without them.
fn quoted(word: std::borrow::Cow<'_, str>) -> String {
    let is_plain = |character: char| match character.is_ascii() {
        true => character.is_ascii_alphanumeric() || "_-./:=@%+,".contains(character),
        false => !is_unseen(character),
    };
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// True if requests to `url` are readable on their way to another machine.
fn is_open(url: &str) -> bool {
    let Ok(url) = url::Url::parse(url) else { return false };
    url.scheme() == "http" && !is_loopback(&url)
}

/// True if requests to `url` stay on this machine: `localhost` and the names in it (RFC 6761) are
/// never looked up.
pub(super) fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

/// The parts of the names of variables, headers and parameters whose values are likely to be
/// secrets, in lower case.
const KEY_NAMES: [&str; 7] = ["auth", "key", "pass", "pwd", "secret", "sig", "token"];

/// True if the value of a variable, header or parameter of this name is likely to be a secret.
pub(super) fn is_key_name(name: &str) -> bool {
    KEY_NAMES.iter().any(|key| name.to_ascii_lowercase().contains(key))
}

/// `url` without the values of parameters of its query that are likely to be secrets.
pub fn without_keys(url: &str) -> String {
    let Some((before, query)) = url.split_once('?') else { return url.to_owned() };
    let (query, fragment) = query.split_once('#').map_or((query, None), |(query, rest)| (query, Some(rest)));
    let shown = |part: &str| match part.split_once('=') {
        Some((name, _)) if is_key_name(name) => format!("{name}={REDACTED}"),
        _ => part.to_owned(),
    };
    let query = query.split('&').map(shown).collect::<Vec<_>>().join("&");
    format!("{before}?{query}{}", fragment.map(|rest| format!("#{rest}")).unwrap_or_default())
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// True if `path`, which may be missing with folders around it, is in one of the folders `project`,
/// with links resolved. A link to something missing leads nowhere.
pub(super) fn is_in(path: &Path, project: &[PathBuf]) -> bool {
    let real = real_path(path);
    real.is_some_and(|real| project.iter().any(|folder| real.starts_with(folder)))
}

/// `path` with the links in its existing part resolved; `None` if one of these links is broken.
fn real_path(path: &Path) -> Option<PathBuf> {
    let existing = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok())?;
    let missing = path.strip_prefix(existing).ok()?;
    Some(clean(&dunce::canonicalize(existing).ok()?.join(missing)))
}

#[cfg(test)]
mod tests;
