//! The folders that agents keep their data in.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folders below the home folder that editors of the VS Code family keep their users' data in.
/// Source: code.visualstudio.com/docs/configure/settings; forks replace the first name.
const EDITORS: [&str; 5] = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
/// The folders of VS Code's server on remote machines.
const SERVERS: [&str; 3] = [".vscode-server", ".vscode-server-insiders", ".cursor-server"];

/// The home folder and the environment variables that decide where data are.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The environment variables that name folders.
    pub variables: HashMap<&'static str, OsString>,
}

/// A folder of an agent.
#[derive(Clone, Copy, Debug)]
pub enum Root {
    /// A folder below the home folder.
    Home(&'static str),
    /// The folder that a variable names, else one below the home folder.
    Variable(&'static str, &'static str),
    /// A folder below the folder that a variable names; without the variable, below the home
    /// folder.
    Below(&'static str, &'static str),
    /// A folder below `XDG_DATA_HOME`.
    Data(&'static str),
    /// A folder in the user's data of each editor of the VS Code family.
    Editors(&'static str),
}

impl Places {
    /// The places of the user of this process.
    pub fn of_process() -> Self {
        let names =
            ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA"].into_iter().chain(super::agents::variables());
        let set = names.filter_map(|name| Some((name, std::env::var_os(name)?)));
        Self { home: std::env::home_dir(), variables: set.filter(|(_, value)| !value.is_empty()).collect() }
    }

    /// The folders that `root` stands for; they need not exist.
    pub fn folders(&self, root: Root) -> Vec<PathBuf> {
        match root {
            Root::Home(below) => self.at_home(below).into_iter().collect(),
            Root::Variable(name, below) => {
                self.variable(name).or_else(|| self.at_home(below)).into_iter().collect()
            }
            Root::Below(name, below) => {
                let base = self.variable(name).or_else(|| self.home.clone());
                base.map(|base| base.join(below)).into_iter().collect()
            }
            Root::Data(below) => {
                let base = self.variable("XDG_DATA_HOME").or_else(|| self.at_home(".local/share"));
                base.map(|base| base.join(below)).into_iter().collect()
            }
            Root::Editors(below) => self.editors().map(|user| user.join(below)).collect(),
        }
    }

    /// The folders `User` of editors of the VS Code family.
    fn editors(&self) -> impl Iterator<Item = PathBuf> {
        let config = self.variable("XDG_CONFIG_HOME").or_else(|| self.at_home(".config"));
        let bases = [config, self.at_home("Library/Application Support"), self.variable("APPDATA")];
        let local = bases.into_iter().flatten().flat_map(|base| EDITORS.map(|editor| base.join(editor)));
        let remote = self.home.iter().flat_map(|home| SERVERS.map(|server| home.join(server).join("data")));
        let folders: Vec<_> = local.chain(remote).map(|folder| folder.join("User")).collect();
        folders.into_iter().filter(|folder| folder.is_dir())
    }

    fn at_home(&self, below: &str) -> Option<PathBuf> {
        self.home.as_deref().map(|home: &Path| home.join(below))
    }

    fn variable(&self, name: &str) -> Option<PathBuf> {
        self.variables.get(name).map(PathBuf::from)
    }
}
