//! Runs the program in a folder of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with the given files only.
pub struct Folder {
    pub path: PathBuf,
}

/// The output and exit status of a run.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Lets signals end the programs that tests start, even if they are ignored here, as in the
/// background of a script: programs inherit ignored signals, but no handlers.
#[cfg(unix)]
fn heed_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT};
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for signal in [SIGINT, SIGHUP] {
            let ends = std::sync::Arc::new(true.into());
            signal_hook::flag::register_conditional_default(signal, ends).unwrap();
        }
    });
}

impl Folder {
    /// Creates the folder `name`, which no other test uses, with `files`.
    pub fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        // With a drive, if it was built on another system.
        let path = std::path::absolute(env!("CARGO_TARGET_TMPDIR")).unwrap().join("cli").join(name);
        _ = std::fs::remove_dir_all(&path);
        for (file, content) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
        }
        Self { path }
    }

    /// The URI of the file `name` in the folder.
    pub fn uri(&self, name: &str) -> String {
        format!("{}/{name}", url::Url::from_file_path(&self.path).unwrap())
    }

    /// The program with these arguments, to be started in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        #[cfg(unix)]
        heed_signals();
        let mut command = Command::new(env!("CARGO_BIN_EXE_chatls"));
        command.args(arguments).current_dir(&self.path).env_remove("CHATLS_LOG").env_remove("NO_COLOR");
        command.env_remove("FORCE_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        command
    }

    /// The command of a user whose home folder is `home`.
    pub fn command_of(&self, home: &Path, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env("HOME", home).env("USERPROFILE", home);
        for name in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env_remove(name);
        }
        for name in ["APPDATA", "LOCALAPPDATA"] {
            command.env(name, home.join(name));
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().unwrap())
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Run::of(child.wait_with_output().unwrap())
    }
}

/// Lets `command` find consents in `data`, and the user's settings in `config`. On Windows both are
/// in `config`.
pub fn at_folders(command: &mut Command, data: &Path, config: &Path) {
    command.env("XDG_DATA_HOME", data).env("XDG_CONFIG_HOME", config).env("APPDATA", config);
}

impl Run {
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code().expect("an exit status"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Fails unless it ended with `status` and printed exactly `stdout`, and `stderr` with line
    /// ends trimmed.
    #[track_caller]
    pub fn check(&self, status: i32, stdout: &str, stderr: &str) {
        assert_eq!((self.stdout.as_str(), self.stderr.trim_end()), (stdout, stderr));
        assert_eq!(self.status, status);
    }
}
