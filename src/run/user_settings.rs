//! The settings that only the user can make, for what runs and for what is asked over the network:
//! `chatls/settings.toml` in the folder for configuration (XDG: `XDG_CONFIG_HOME`).
//!
//! Nothing in a workspace can set them: not its `chatls.toml`, and not the settings of an editor,
//! which may be those of a workspace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::Deserialize;

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

impl UserSettings {
    /// The settings of this user; the defaults if there is no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is larger than 1 MiB, or is not valid; with its name.
    pub fn load() -> io::Result<Self> {
        match Self::path() {
            Some(path) => Self::read(&path),
            None => Ok(Self::default()),
        }
    }

    /// The path of the file; `None` if the user has no home folder.
    pub fn path() -> Option<PathBuf> {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(base.config_dir().join("chatls").join("settings.toml"))
    }

    /// Reads the file `path`.
    fn read(path: &Path) -> io::Result<Self> {
        let failed = |reason: String| io::Error::other(format!("`{}`: {reason}", path.display()));
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(error.to_string())),
            Ok(file) if !file.is_file() => return Err(failed("it is not a file".to_owned())),
            Ok(file) if file.len() > MOST_BYTES => return Err(failed("it is larger than 1 MiB".to_owned())),
            Ok(_) => {}
        }
        let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        toml::from_str(&text).map_err(|error| failed(error.to_string().trim_end().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<UserSettings, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.toml");
        fs::write(&path, text).expect("written");
        UserSettings::read(&path).map_err(|error| error.to_string())
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
        assert_eq!(read(text), Ok(UserSettings { ask: AskPolicy::Never, charts, model: Some(model) }));
    }

    #[test]
    fn a_missing_file_is_the_defaults_and_an_invalid_one_is_named() {
        let missing = tempfile::tempdir().expect("a folder").path().join("settings.toml");
        assert_eq!(UserSettings::read(&missing).ok(), Some(UserSettings::default()));
        for (text, word) in [("asks = 1", "asks"), ("ask = \"sometimes\"", "sometimes"), ("[model]", "url")] {
            let error = read(text).expect_err("an error");
            assert!(error.contains(word) && error.contains("settings.toml"), "{error}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        assert!(UserSettings::read(folder.path()).is_err());
    }
}
