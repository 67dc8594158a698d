//! `completions` and `man`: generated from the arguments, and accepted by shells and man.

use super::run::Folder;

#[test]
fn shells_accept_their_completions() {
    let folder = Folder::new("shells", &[("a.md", b"")]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = folder.run(&["completions", shell]);
        assert!(run.status == 0 && run.stdout.contains("CHATLS_COMPLETE"), "{shell}");
    }
    #[cfg(unix)]
    {
        use std::io::Write;
        use std::process::{Command, Stdio};

        let script = folder.run(&["completions", "bash"]).stdout;
        let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
        bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(bash.wait().unwrap().success());
    }
    assert_eq!(folder.run(&["completions", "cmd"]).status, 2);
}

#[test]
fn the_manual_has_every_command() {
    let folder = Folder::new("man", &[("a.md", b"")]);
    let page = folder.run(&["man"]).stdout;
    for command in
        ["serve", "check", "calls", "convert", "fmt", "events", "view", "tools", "explain", "init", "demo"]
    {
        assert!(page.contains(&format!(".SH CHATLS {}", command.to_uppercase())), "{command}");
    }
    assert!(!page.contains("(1)\n"), "there are no pages of commands");
    assert!(
        page.contains(r"\-\-fail\-on") && page.contains(".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\n"),
        "{page}"
    );
    let examples = ".SH EXAMPLES\n.nf\nchatls demo  ";
    assert!(
        page.contains(examples) && page.contains(".SS EXAMPLES\n.nf\nchatls explain bad\\-state\n"),
        "{page}"
    );
}

#[test]
fn the_manual_lists_options_of_all_commands_once() {
    let folder = Folder::new("man-options", &[("a.md", b"")]);
    let page = folder.run(&["man"]).stdout;
    let entries = |option: &str| page.matches(&format!("\n.TP\n\\fB{option}\\fR")).count();
    for option in [r"\-\-config", r"\-\-no\-outside", r"\-\-color", r"\-\-log\-file", r"\-h\fR, \fB\-\-help"]
    {
        assert_eq!(entries(option), 1, "{option}");
    }
    assert!(entries(r"\-\-stdin\-filename") > 1);
}

/// The completions of the last of `words` in a shell.
fn completed(folder: &Folder, words: &[&str]) -> Vec<String> {
    let index = (words.len() - 1).to_string();
    let mut command = folder.command(&[&["--"], words].concat());
    command.env("CHATLS_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", index).env("_CLAP_IFS", "\n");
    let output = command.env("_CLAP_COMPLETE_COMP_TYPE", "9").output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn codes_and_tools_are_completed() {
    let registry = br#"[{"name": "read_file", "description": "Reads.", "inputSchema": {"type": "object"}},
        {"name": "reload", "inputSchema": {"type": "object"}}, {"name": "write", "inputSchema": {"type": "object"}}]"#;
    let folder = Folder::new(
        "shells-words",
        &[
            ("chatls.toml", b"tools = [\"t.json\"]\n"),
            ("t.json", &[b"{\"tools\": ", &registry[..], b"}"].concat()),
        ],
    );
    assert_eq!(completed(&folder, &["chatls", "explain", "bad-s"]), ["bad-state"]);
    assert_eq!(completed(&folder, &["chatls", "check", "--select", "stray"]), ["stray-tag"]);
    assert_eq!(completed(&folder, &["chatls", "check", "--ignore", "AL"]), ["ALL"]);
    assert_eq!(completed(&folder, &["chatls", "calls", "--tool", "re"]), ["read_file", "reload"]);
    assert_eq!(completed(&folder, &["chatls", "tools", "w"]), ["write"]);
    assert_eq!(completed(&folder, &["chatls", "che"]), ["check"]);
}

#[test]
fn colors_follow_the_option() {
    let folder = Folder::new("colours", &[("a.chat.md", b"</tool>\n")]);
    let is_colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = folder.command(arguments);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    let force = [("FORCE_COLOR", "1")];
    for arguments in [&["check"][..], &["check", "--help"], &["--help"], &["check", "--nonsense"]] {
        assert!(!is_colored(arguments, &[]), "{arguments:?}");
        assert!(is_colored(arguments, &force), "{arguments:?}");
        assert!(is_colored(arguments, &[("CLICOLOR_FORCE", "1")]), "{arguments:?}");
        assert!(!is_colored(arguments, &[("FORCE_COLOR", "0")]), "{arguments:?}");
        assert!(!is_colored(arguments, &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]), "{arguments:?}");
        assert!(!is_colored(&[&["--color", "never"], arguments].concat(), &force), "{arguments:?}");
        assert!(
            is_colored(&[&["--color=always"], arguments].concat(), &[("NO_COLOR", "1")]),
            "{arguments:?}"
        );
    }
}
