//! The consents of the user, outside of every workspace: a file for each consent, named by the hash
//! of its subject, as direnv does for `.envrc` files.
//!
//! Nothing in a workspace can grant: a store inside of a project is refused, and so is a file that
//! others can write.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde_json::{Value, json};

use super::subject::is_in;
use super::{Subject, SubjectHash};

/// The variable that names the folder for data.
const DATA_HOME: &str = if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" };

/// The consents of the user.
#[derive(Clone, Debug)]
pub struct TrustStore {
    folder: PathBuf,
}

/// A subject to which the user has agreed. Only a [`TrustStore`] makes one, and only a value of
/// this type can be started.
#[derive(Clone, Debug)]
pub struct Consented {
    subject: Subject,
}

/// A consent in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Consent {
    /// The hash of the subject.
    pub hash: SubjectHash,
    /// The subject's text, as JSON.
    pub subject: Value,
    /// The text that was hashed.
    subject_text: String,
    /// The time of the consent (RFC 3339).
    pub time: String,
    /// The tools whose calls run without a question.
    pub tools: Vec<String>,
}

impl Consented {
    /// The subject.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }
}

impl TrustStore {
    /// The store of this user: `chatls/trust` in the folder for data (XDG: `XDG_DATA_HOME`).
    ///
    /// # Errors
    ///
    /// If the user has no home folder.
    pub fn of_user() -> io::Result<Self> {
        let base = etcetera::choose_base_strategy().map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { folder: base.data_dir().join("chatls").join("trust") })
    }

    /// The store in `folder`.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder of the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `subject`, if the user has agreed to it.
    ///
    /// # Errors
    ///
    /// If the store is in the subject's project, or cannot be read.
    pub fn check(&self, subject: &Subject) -> io::Result<Option<Consented>> {
        self.refuse_inside(subject)?;
        let consent = self.read(&subject.hash())?;
        Ok(consent.map(|_| Consented { subject: subject.clone() }))
    }

    /// Records that the user agrees to `subject`.
    ///
    /// # Errors
    ///
    /// If the store is in the subject's project, or cannot be written.
    pub fn grant(&self, subject: &Subject) -> io::Result<Consented> {
        self.refuse_inside(subject)?;
        let tools = self.read(&subject.hash())?.map(|known| known.tools).unwrap_or_default();
        let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        self.write((&subject.hash(), &subject.text()), &time, &tools)?;
        Ok(Consented { subject: subject.clone() })
    }

    /// Records that calls of `tool` run without a question while the consent lasts. Has no effect
    /// if the consent was revoked meanwhile.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn always_allow(&self, consented: &Consented, tool: &str) -> io::Result<()> {
        let subject = &consented.subject;
        self.refuse_inside(subject)?;
        let Some(mut known) = self.read(&subject.hash())? else { return Ok(()) };
        if !known.tools.iter().any(|allowed| allowed == tool) {
            known.tools.push(tool.to_owned());
            self.write((&known.hash, &known.subject_text), &known.time, &known.tools)?;
        }
        Ok(())
    }

    /// True if calls of `tool` run without a question. They do not if that cannot be read.
    pub fn always_allows(&self, consented: &Consented, tool: &str) -> bool {
        let known = self.read(&consented.subject.hash()).ok().flatten();
        known.is_some_and(|known| known.tools.iter().any(|allowed| allowed == tool))
    }

    /// Revokes all [`Self::always_allow`] of a consent. Returns whether the consent exists.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written.
    pub fn ask_again(&self, hash: &SubjectHash) -> io::Result<bool> {
        let Some(known) = self.read(hash)? else { return Ok(false) };
        self.write((hash, &known.subject_text), &known.time, &[])?;
        Ok(true)
    }

    fn write(&self, (hash, subject): (&SubjectHash, &str), time: &str, tools: &[String]) -> io::Result<()> {
        create_private_folder(&self.folder)?;
        let mut consent = json!({"hash": hash.as_str(), "time": time, "subject": subject});
        if !tools.is_empty() {
            consent["tools"] = json!(tools);
        }
        // The file appears as a whole, or not at all.
        let mut file = tempfile::Builder::new().prefix(".consent").tempfile_in(&self.folder)?;
        writeln!(file, "{consent:#}")?;
        file.persist(self.path(hash)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Takes a consent back. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    pub fn revoke(&self, hash: &SubjectHash) -> io::Result<bool> {
        match fs::remove_file(self.path(hash)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The consents, by hash. Skips files that are not consents.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn consents(&self) -> io::Result<Vec<Consent>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut consents = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            let hash = name.to_str().and_then(|name| SubjectHash::parse(name.strip_suffix(".json")?));
            consents.extend(hash.and_then(|hash| self.read(&hash).ok().flatten()));
        }
        consents.sort_by(|one, other| one.hash.cmp(&other.hash));
        Ok(consents)
    }

    fn path(&self, hash: &SubjectHash) -> PathBuf {
        self.folder.join(format!("{hash}.json"))
    }

    /// The consent with the hash `hash`, if its file is the user's own and its text has this hash.
    fn read(&self, hash: &SubjectHash) -> io::Result<Option<Consent>> {
        let path = self.path(hash);
        let data = match fs::symlink_metadata(&path) {
            Ok(data) => data,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if let Some(reason) = not_private(&data).or_else(|| not_private(&fs::metadata(&self.folder).ok()?)) {
            let message = format!("the consent `{}` does not count: {reason}", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        let value: Value = serde_json::from_slice(&fs::read(&path)?).unwrap_or_default();
        let Some(text) = value["subject"].as_str().filter(|text| SubjectHash::of_text(text) == *hash) else {
            return Ok(None);
        };
        let time = value["time"].as_str().unwrap_or_default().to_owned();
        let tools = value["tools"].as_array().into_iter().flatten();
        Ok(Some(Consent {
            hash: hash.clone(),
            subject: serde_json::from_str(text).unwrap_or_default(),
            subject_text: text.to_owned(),
            time,
            tools: tools.filter_map(Value::as_str).map(str::to_owned).collect(),
        }))
    }

    /// A store in the project would be granted by the project.
    fn refuse_inside(&self, subject: &Subject) -> io::Result<()> {
        if !is_in(&self.folder, &subject.project) {
            return Ok(());
        }
        let message = format!(
            "consents are kept in `{}`, which is a part of this project, so the project could grant them itself: \
             set `{DATA_HOME}` to a folder outside of it",
            self.folder.display()
        );
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }
}

#[cfg(unix)]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// The reason why a file or folder may have been written by another user; `None` if it cannot.
#[cfg(unix)]
pub(super) fn not_private(data: &fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    match () {
        () if data.is_symlink() => Some("it is a link"),
        () if data.uid() != user => Some("it belongs to another user"),
        () if data.mode() & 0o022 != 0 => Some("other users can write it"),
        () => None,
    }
}

#[cfg(not(unix))]
pub(super) fn not_private(data: &fs::Metadata) -> Option<&'static str> {
    data.is_symlink().then_some("it is a link")
}

#[cfg(test)]
mod tests;
