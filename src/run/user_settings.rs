//! Settings that only the user can make, for running tools and for network requests:
//! `chatls/settings.toml` in the folder for configuration (XDG: `XDG_CONFIG_HOME`).
//!
//! Nothing in a workspace can set them: not its `chatls.toml`, not the settings of an editor, which
//! may be settings of a workspace, and not a file in it that takes the place of this one.

use std::path::{Path, PathBuf};
use std::{fs, io};

use etcetera::BaseStrategy;
use serde::Deserialize;

use super::subject::{is_in, project_of};
use super::trust::not_private;
use super::{CallEffect, Limits};
use crate::config::FILE_NAME;

/// The variable that names the folder for configuration.
const CONFIG_HOME: &str = if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" };
/// Maximum size of the file, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// The user's own settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct UserSettings {
    /// The calls that need a question before they run.
    pub ask: AskPolicy,
    /// The address of the index of charts that `latest_subchart_version` asks, such as
    /// `https://artifacthub.io`.
    pub charts: Option<String>,
    /// The model that continues a conversation.
    pub model: Option<ModelSettings>,
    /// The limits of servers and programs.
    pub limits: Limits,
}

/// The calls that need a question before they run. Consent to a server or program is needed in any
/// case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskPolicy {
    /// At each run.
    Always,
    /// At each run of a tool that is not known to change nothing (MCP: `readOnlyHint`).
    #[default]
    Changes,
    /// Never.
    Never,
}

/// A server of models.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelSettings {
    /// The address that requests are posted to, such as
    /// `https://api.openai.com/v1/chat/completions`.
    pub url: String,
    /// The kind of server.
    pub server: ModelServer,
    /// The name of the model.
    pub name: String,
    /// The variable of the environment with the key; never the key itself.
    pub key: Option<String>,
    /// The maximum number of tokens of an answer.
    pub max_tokens: Option<u64>,
}

/// The kinds of servers of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelServer {
    /// Chat completions of OpenAI, and of the many that are compatible with them.
    Openai,
    /// The Messages API of Anthropic.
    Anthropic,
}

impl AskPolicy {
    /// True if the user is to be asked before a call with this effect runs. A call with
    /// [secrets](super::ReadyCall::secrets) needs a question in any case.
    pub fn asks(self, effect: CallEffect) -> bool {
        match self {
            Self::Always => true,
            Self::Changes => effect == CallEffect::MayChange,
            Self::Never => false,
        }
    }
}

impl UserSettings {
    /// The settings of this user, for work on the files `paths` while the folders `open` are open;
    /// the defaults if there is no file. The folders of these files and of their configurations
    /// count as in use.
    ///
    /// # Errors
    ///
    /// If the file is in the project of a folder that is open or in use, may have been written by
    /// another user, cannot be read, is larger than 1 MiB, or is not valid, with its name; and if
    /// the working folder is unknown.
    pub fn load_for<'a>(open: Vec<PathBuf>, paths: impl IntoIterator<Item = &'a Path>) -> io::Result<Self> {
        let mut folders = open;
        for path in paths {
            let path = std::path::absolute(path)?;
            folders.extend(path.parent().map(Path::to_owned));
            let configured = path.ancestors().skip(1).find(|folder| folder.join(FILE_NAME).exists());
            folders.extend(configured.map(Path::to_owned));
        }
        Self::path().map_or_else(|| Ok(Self::default()), |path| Self::read(&path, &folders))
    }

    /// The path of the file; `None` if the user has no home folder.
    pub fn path() -> Option<PathBuf> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(base.config_dir().join("chatls").join("settings.toml"))
    }

    /// Reads the file `path`, which may be a link out of the projects of `folders`.
    fn read(path: &Path, folders: &[PathBuf]) -> io::Result<Self> {
        let failed = |reason: String| io::Error::other(format!("`{}`: {reason}", path.display()));
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(error.to_string())),
            Ok(file) if !file.is_file() => return Err(failed("it is not a file".to_owned())),
            Ok(file) if file.len() > MOST_BYTES => return Err(failed("it is larger than 1 MiB".to_owned())),
            Ok(file) => {
                let around = path.parent().map(fs::metadata).transpose()?;
                if let Some(reason) = not_private(&file).or_else(|| not_private(&around?)) {
                    return Err(failed(format!("it does not count as your own settings: {reason}")));
                }
            }
        }
        // A link in the project is the project's, wherever it leads.
        let is_inside = |folder: &PathBuf| {
            let project = project_of(folder, folders);
            is_in(path, &project) || path.parent().is_some_and(|around| is_in(around, &project))
        };
        if folders.iter().any(is_inside) {
            return Err(failed(format!(
                "it is a part of this project, which could set it itself: set `{CONFIG_HOME}` to a folder outside of it"
            )));
        }
        let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        toml::from_str(&text).map_err(|error| failed(error.to_string().trim_end().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// `path`, which only its owner can write.
    fn own(path: PathBuf) -> PathBuf {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
        }
        path
    }

    fn read(text: &str) -> Result<UserSettings, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.toml");
        fs::write(&path, text).expect("written");
        UserSettings::read(&own(path), &[]).map_err(|error| error.to_string())
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(read(""), Ok(UserSettings::default()));
        let text = "\
ask = \"never\"
charts = \"https://artifacthub.io\"

[model]
server = \"anthropic\"
url = \"http://127.0.0.1:1/v1/messages\"
name = \"m\"
key = \"MY_KEY\"
max-tokens = 100
";
        let model = ModelSettings {
            url: "http://127.0.0.1:1/v1/messages".to_owned(),
            server: ModelServer::Anthropic,
            name: "m".to_owned(),
            key: Some("MY_KEY".to_owned()),
            max_tokens: Some(100),
        };
        let charts = Some("https://artifacthub.io".to_owned());
        let expected =
            UserSettings { ask: AskPolicy::Never, charts, model: Some(model), ..UserSettings::default() };
        assert_eq!(read(text), Ok(expected));
    }

    #[test]
    fn limits_are_times() {
        let limits = |text: &str| read(&format!("[limits]\n{text}\n")).map(|settings| settings.limits);
        let default = Limits::default();
        assert_eq!(limits(""), Ok(default.clone()));
        let set = Limits { idle: Duration::from_secs(90), call: Duration::from_secs(5400), ..default };
        assert_eq!(limits("idle = \"90s\"\ncall = \"1h 30m\""), Ok(set));
        for wrong in ["0s", "-1m", "25h", "10", "soon", ""] {
            let error = limits(&format!("call = \"{wrong}\"")).expect_err(wrong);
            assert!(error.contains("is not a time from 1s to 24h"), "{error}");
        }
        assert!(limits("message = \"1s\"").is_err());
    }

    #[test]
    fn a_missing_file_is_the_defaults_and_an_invalid_one_is_named() {
        let missing = tempfile::tempdir().expect("a folder").path().join("settings.toml");
        assert_eq!(UserSettings::read(&missing, &[]).ok(), Some(UserSettings::default()));
        for (text, word) in [("asks = 1", "asks"), ("ask = \"sometimes\"", "sometimes"), ("[model]", "url")] {
            let error = read(text).expect_err("an error");
            assert!(error.contains(word) && error.contains("settings.toml"), "{error}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        assert!(UserSettings::read(folder.path(), &[]).is_err());
    }

    #[test]
    fn a_project_cannot_be_the_user() {
        let made = tempfile::tempdir().expect("a folder");
        let folder = dunce::canonicalize(made.path()).expect("a folder");
        for name in ["w/.git", "w/sub", "w/.config", "other", "home"] {
            fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let write = |name: &str| {
            fs::write(folder.join(name), "ask = \"never\"\n").expect("written");
            own(folder.join(name))
        };
        let message = |path: &Path, around: &str| {
            let read = UserSettings::read(path, &[folder.join("other"), folder.join(around)]);
            read.expect_err(around).to_string()
        };
        let own_settings = write("home/settings.toml");
        assert!(UserSettings::read(&own_settings, &[folder.join("w"), folder.join("other")]).is_ok());
        let inside = write("w/.config/settings.toml");
        for around in ["w", "w/sub", "w/.config"] {
            assert!(message(&inside, around).contains(CONFIG_HOME));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt, symlink};
            let links = [("w/.config", "linked"), ("home/settings.toml", "w/settings.toml")];
            for (target, link) in links {
                symlink(folder.join(target), folder.join(link)).expect("a link");
            }
            for name in ["linked/settings.toml", "w/settings.toml"] {
                assert!(message(&folder.join(name), "w/sub").contains(CONFIG_HOME), "{name}");
            }
            fs::set_permissions(&own_settings, fs::Permissions::from_mode(0o622)).expect("permissions");
            assert!(message(&own_settings, "w").contains("other users can write it"));
        }
    }
}
