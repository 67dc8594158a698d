//! `completions` and `man`: made from the arguments, and taken by those who read them.

use std::io::Write;
use std::process::{Command, Stdio};

use super::run::Folder;

#[test]
fn shells_take_their_completions() {
    let folder = Folder::new("shells", &[("a.md", b"")]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = folder.run(&["completions", shell]);
        assert!(run.status == 0 && run.stdout.contains("fail-on"), "{shell}");
    }
    let script = folder.run(&["completions", "bash"]).stdout;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
    assert_eq!(folder.run(&["completions", "cmd"]).status, 2);
}

#[test]
fn the_manual_tells_every_command() {
    let folder = Folder::new("man", &[("a.md", b"")]);
    let page = folder.run(&["man"]).stdout;
    for command in
        ["serve", "check", "calls", "convert", "fmt", "events", "view", "tools", "explain", "init", "demo"]
    {
        assert!(page.contains(&format!(".SH CHATLS {}", command.to_uppercase())), "{command}");
    }
    assert!(!page.contains("(1)\n"), "there are no pages of commands");
    assert!(page.contains(r"\-\-fail\-on") && page.contains("Exit status"), "{page}");
}
