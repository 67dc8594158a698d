//! Questions at a terminal, and what signals leave behind.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::run::Folder;

const CHAT: &[u8] = b"```tool\n{\"toolName\": \"slow\", \"input\": {}}\n```\n";

/// Leaves a process in its group, and one in a session of its own, both without its stdin, and
/// does not end.
const SLOW: &[u8] = b"trap '' TERM HUP INT\n\
    setsid sh -c 'echo $$ >> pids; exec sleep 1000' &\n\
    sleep 1000 & echo $! >> pids\n\
    echo $$ >> pids\n\
    while :; do sleep 0.1; done\n";

/// A folder with a program and a server that are the same script, and a home folder.
struct Workspace {
    folder: Folder,
    home: tempfile::TempDir,
}

/// The end of a terminal at which the user types.
struct Terminal {
    typed: File,
    child: Child,
    seen: String,
}

impl Workspace {
    fn new(name: &str) -> Self {
        let config = b"[run.slow]\ncommand = [\"sh\", \"slow.sh\"]\n[servers.slow]\ncommand = \"sh\"\nargs = [\"slow.sh\"]\n";
        let files = [("chatls.toml", &config[..]), ("slow.sh", SLOW), ("a.chat.md", CHAT)];
        Self { folder: Folder::new(name, &files), home: tempfile::tempdir().unwrap() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.folder.command_of(self.home.path(), arguments)
    }

    /// Agrees to all that the configuration names.
    fn agree(&self) {
        let listed = self.command(&["trust", "--format", "jsonl"]).output().unwrap();
        for line in String::from_utf8(listed.stdout).unwrap().lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let status = self.command(&["trust", "--allow", line["hash"].as_str().unwrap()]).status();
            assert!(status.unwrap().success());
        }
    }

    fn consents(&self) -> usize {
        let folder = self.home.path().join(".local/share/chatls/trust");
        fs::read_dir(folder).map_or(0, Iterator::count)
    }

    /// The processes of the script, once all have begun.
    fn started(&self) -> Vec<Pid> {
        let ids = || fs::read_to_string(self.folder.path.join("pids")).unwrap_or_default();
        assert!(eventually(|| ids().lines().count() == 3), "{}", ids());
        ids().lines().map(|id| Pid::from_raw(id.parse().unwrap()).unwrap()).collect()
    }

    /// Types `typed`, and then starts the command at this terminal.
    fn at_terminal(&self, typed: &str, arguments: &[&str]) -> Terminal {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let open = || File::options().read(true).write(true).open(PathBuf::from(&name)).unwrap();
        let side = open();
        let mut typing = File::from(terminal);
        typing.write_all(typed.as_bytes()).unwrap();
        let mut command = self.command(arguments);
        let child = command.stdin(open()).stdout(Stdio::null()).stderr(side).spawn().unwrap();
        Terminal { typed: typing, child, seen: String::new() }
    }
}

impl Terminal {
    /// Waits until the terminal shows `text`.
    fn wait_for(&mut self, text: &str) {
        let mut bytes = [0; 4096];
        while !self.seen.contains(text) {
            let read = self.typed.read(&mut bytes).unwrap_or_else(|error| panic!("{error}: {}", self.seen));
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    }

    fn type_line(&mut self, line: &str) {
        self.typed.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn status(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }
}

fn eventually(mut is_done: impl FnMut() -> bool) -> bool {
    (0..1000).any(|_| {
        let done = is_done();
        if !done {
            std::thread::sleep(Duration::from_millis(10));
        }
        done
    })
}

fn is_alive(id: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn what_was_typed_before_a_question_does_not_answer_it() {
    let workspace = Workspace::new("terminal-ahead");
    let mut terminal = workspace.at_terminal("y\ny\ny\n", &["trust", "slow"]);
    for _ in 0..2 {
        // The server, then the program.
        terminal.wait_for("Agree? [y/N] ");
        terminal.seen.clear();
        terminal.type_line("n");
    }
    assert_eq!((terminal.status(), workspace.consents()), (2, 0));

    // Both start the same.
    let mut terminal = workspace.at_terminal("n\n", &["trust", "slow"]);
    terminal.wait_for("Agree? [y/N] ");
    terminal.type_line("y");
    assert_eq!((terminal.status(), workspace.consents()), (0, 1));
}

#[test]
fn a_question_that_would_leave_the_screen_is_not_asked() {
    let workspace = Workspace::new("terminal-long");
    let config = format!("[run.slow]\ncommand = [\"sh\", \"slow.sh\", \"{}\"]\n", "x".repeat(5000));
    fs::write(workspace.folder.path.join("chatls.toml"), config).unwrap();
    let mut terminal = workspace.at_terminal("", &["trust", "slow"]);
    terminal.wait_for("to agree: chatls trust --allow ");
    assert_eq!((terminal.status(), workspace.consents()), (2, 0));
}

#[test]
fn signals_end_all_processes() {
    let commands: [&[&str]; 2] = [&["run", "--yes", "a.chat.md"], &["tools", "pull"]];
    for (index, signal) in [Signal::TERM, Signal::HUP, Signal::INT].into_iter().enumerate() {
        for (name, command) in commands.iter().enumerate() {
            let workspace = Workspace::new(&format!("terminal-signals-{index}-{name}"));
            workspace.agree();
            let mut command = workspace.command(command);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let started = workspace.started();
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
            assert!(eventually(|| !started.iter().any(|id| is_alive(*id))), "{signal:?} {name}");
        }
    }
}

#[test]
fn a_tool_is_always_allowed_until_it_is_asked_for_again() {
    let workspace = Workspace::new("terminal-always");
    fs::write(workspace.folder.path.join("slow.sh"), "echo done\n").unwrap();
    fs::write(workspace.folder.path.join("chatls.toml"), "[run.slow]\ncommand = [\"sh\", \"slow.sh\"]\n")
        .unwrap();
    workspace.agree();
    let run = |answer: &str| {
        let mut terminal = workspace.at_terminal("", &["run", "a.chat.md"]);
        terminal.wait_for("[y/N, a: always allow this tool] ");
        terminal.type_line(answer);
        terminal.status()
    };
    assert_eq!(run("always"), 0);
    let text = || fs::read_to_string(workspace.folder.path.join("a.chat.md")).unwrap();
    assert!(text().contains("done"), "{}", text());
    // Nobody is asked, although nobody could be.
    let silent = || {
        fs::write(workspace.folder.path.join("a.chat.md"), CHAT).unwrap();
        workspace.command(&["run", "a.chat.md"]).output().unwrap().status.code()
    };
    assert_eq!(silent(), Some(0));
    let listed = || String::from_utf8(workspace.command(&["trust"]).output().unwrap().stdout).unwrap();
    assert!(listed().contains("always allowed: `slow`"), "{}", listed());
    let lines = workspace.command(&["trust", "--format", "jsonl"]).output().unwrap().stdout;
    let line: serde_json::Value = serde_json::from_slice(&lines).unwrap();
    assert_eq!(line["alwaysAllowed"], serde_json::json!(["slow"]));
    let again = ["trust", "--ask-again", line["hash"].as_str().unwrap()];
    assert!(workspace.command(&again).status().unwrap().success());
    assert!(!listed().contains("always allowed") && listed().contains("agreed"), "{}", listed());
    assert_ne!(silent(), Some(0));
    assert_eq!(run("n"), 2);
}
