//! `check --watch`: changed files are checked again, and nothing else is reported.

use std::fs;
use std::io::{Read, Write};
use std::process::{ChildStderr, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::run::Folder;

mod watching;

use watching::{PATIENCE, Watch, lines};

const BAD: &[u8] = b"```tool\n{\"toolName\": \"f\", \"state\": \"dun\"}\n```\n";
const GOOD: &[u8] = b"```tool\n{\"toolName\": \"f\", \"state\": \"input-available\"}\n```\n";

#[test]
fn changed_new_and_removed_files_are_noticed() {
    let folder = Folder::new("watch", &[("a.md", GOOD), ("sub/b.md", BAD)]);
    let write = |name: &str, content: &[u8]| fs::write(folder.path.join(name), content).unwrap();
    let watch = Watch::start(&folder, &[]);
    watch.until(&["bad-state sub/b.md"]);
    let line = watch.said("1 diagnostic in 2 files; watching for changes, press Ctrl+C to stop");
    assert_eq!(line.find("  1 diagnostic"), Some("12:34:56".len()), "{line}");
    write("a.md", BAD);
    watch.until(&["bad-state a.md", "bad-state sub/b.md"]);
    fs::create_dir_all(folder.path.join("new/deep")).unwrap();
    write("new/deep/c.md", BAD);
    watch.until(&["bad-state a.md", "bad-state new/deep/c.md", "bad-state sub/b.md"]);
    write("new/deep/c.md", GOOD);
    watch.until(&["bad-state a.md", "bad-state sub/b.md"]);
    fs::remove_file(folder.path.join("a.md")).unwrap();
    watch.until(&["bad-state sub/b.md"]);
    fs::rename(folder.path.join("sub"), folder.path.join("other")).unwrap();
    watch.until(&["bad-state other/b.md"]);
    write("other/b.md", GOOD);
    watch.until(&[]);
    fs::remove_dir_all(folder.path.join("other")).unwrap();
    watch.until(&[]);
    fs::create_dir(folder.path.join("other")).unwrap();
    write("other/d.md", BAD);
    watch.until(&["bad-state other/d.md"]);
}

#[test]
fn changed_settings_and_registries_apply_to_all_files() {
    let registry = |name: &str| format!("[{{\"name\": \"{name}\", \"inputSchema\": {{}}}}]").into_bytes();
    let folder = Folder::new("watch-settings/in", &[("a.md", GOOD), ("b.md", BAD)]);
    let above = folder.path.parent().unwrap();
    _ = fs::remove_file(above.join("chatls.toml"));
    _ = fs::remove_dir_all(above.join("registries"));
    let watch = Watch::start(&folder, &[]);
    watch.until(&["bad-state b.md"]);
    // Above the watched folder, and with a registry in a missing folder.
    fs::write(above.join("chatls.toml"), "tools = [\"registries/t.json\"]\nlint.bad-state = \"off\"\n")
        .unwrap();
    watch.until(&[&format!("registry {}/chatls.toml", above.to_str().unwrap().replace('\\', "/"))]);
    fs::create_dir(above.join("registries")).unwrap();
    fs::write(above.join("registries/t.json"), registry("g")).unwrap();
    watch.until(&["unknown-tool a.md", "unknown-tool b.md"]);
    fs::write(above.join("registries/t.json"), registry("f")).unwrap();
    watch.until(&[]);
    fs::write(folder.path.join("chatls.toml"), "exclude = [\"a.md\"]\n").unwrap();
    watch.until(&["bad-state b.md"]);
    fs::write(folder.path.join("chatls.toml"), "exclude = [\"b.md\"\n").unwrap();
    watch.until(&["config chatls.toml"]);
    fs::remove_file(folder.path.join("chatls.toml")).unwrap();
    watch.until(&[]);
    fs::remove_file(above.join("chatls.toml")).unwrap();
    watch.until(&["bad-state b.md"]);
}

#[test]
fn ignored_files_are_not_watched() {
    let folder =
        Folder::new("watch-ignored", &[(".gitignore", b"x.md\nout/\n"), ("a.md", GOOD), ("x.md", GOOD)]);
    let write = |name: &str, content: &[u8]| fs::write(folder.path.join(name), content).unwrap();
    let watch = Watch::start(&folder, &[]);
    watch.until(&[]);
    write("x.md", BAD);
    fs::create_dir(folder.path.join("out")).unwrap();
    write("out/y.md", BAD);
    write("a.md", BAD);
    assert_eq!(watch.until(&["bad-state a.md"]), [[""; 0]; 0]);
    write(".gitignore", b"x.md\n");
    watch.until(&["bad-state a.md", "bad-state out/y.md"]);
    write("out/y.md", GOOD);
    watch.until(&["bad-state a.md"]);
}

#[test]
fn excluded_files_given_by_name_are_reported_once() {
    let folder = Folder::new(
        "watch-excluded",
        &[("chatls.toml", b"exclude = [\"a.md\"]\n"), ("a.md", BAD), ("b.md", BAD)],
    );
    let watch = Watch::start(&folder, &["a.md", "b.md"]);
    watch.until(&["bad-state a.md", "bad-state b.md"]);
    fs::write(folder.path.join(".gitignore"), "x\n").unwrap();
    // Longer than it waits for an incomplete file.
    std::thread::sleep(Duration::from_millis(700));
    fs::write(folder.path.join("b.md"), GOOD).unwrap();
    assert_eq!(watch.until(&["bad-state a.md"]), [[""; 0]; 0]);
}

#[test]
fn saved_files_are_read_completely() {
    let folder = Folder::new("watch-saved", &[("a.md", BAD), ("b.md", BAD)]);
    let path = folder.path.join("a.md");
    let watch = Watch::start(&folder, &["a.md", "b.md"]);
    let both = ["bad-state a.md", "bad-state b.md"];
    let more = ["bad-state a.md", "bad-state a.md", "bad-state b.md"];
    watch.until(&both);
    // The states visible while a file is saved, as slowly as in an editor.
    let between = |save: &dyn Fn(), expected: &[&str]| {
        let begun = Instant::now();
        save();
        let is_quick = begun.elapsed() < Duration::from_millis(400);
        let others = watch.until(expected);
        assert!(others.is_empty() || !is_quick, "{others:?}");
    };
    // The longest time between the steps of an editor.
    let work = Duration::from_millis(150);
    // Like Vim: the old file is moved aside, and restored if writing fails.
    let aside = || {
        fs::rename(&path, folder.path.join("a.md~")).unwrap();
        std::thread::sleep(work);
        fs::write(&path, BAD.repeat(2)).unwrap();
        fs::remove_file(folder.path.join("a.md~")).unwrap();
    };
    between(&aside, &more);
    // Like other editors: a new file replaces the old one, or the old one is truncated and written.
    let in_place = || {
        fs::write(folder.path.join(".a.md.tmp"), BAD).unwrap();
        fs::rename(folder.path.join(".a.md.tmp"), &path).unwrap();
    };
    between(&in_place, &both);
    let filled = || {
        let mut file = fs::File::create(&path).unwrap();
        std::thread::sleep(work);
        file.write_all(&BAD.repeat(2)).unwrap();
    };
    between(&filled, &more);
    for number in 0..200 {
        fs::write(&path, if number % 2 == 0 { GOOD } else { BAD }).unwrap();
    }
    fs::write(&path, BAD.repeat(2)).unwrap();
    let others = watch.until(&more);
    assert!(others.len() < 20, "{others:?}");
    fs::remove_file(&path).unwrap();
    watch.until(&["bad-state b.md"]);
    watch.said("cannot read `a.md`: file not found");
    fs::write(&path, BAD).unwrap();
    watch.until(&both);
}

#[test]
fn unreadable_files_do_not_end_the_watch() {
    let folder = Folder::new("watch-unreadable/in", &[("a.md", BAD), ("b.md", BAD)]);
    let at = &folder.path;
    let all = at.to_str().unwrap();
    let watch = Watch::start(&folder, &[all]);
    watch.until(&["bad-state a.md", "bad-state b.md"]);
    fs::write(at.join("a.md"), b"\xff").unwrap();
    watch.until(&["bad-state b.md"]);
    watch.said("`a.md` is skipped: it is not UTF-8");
    fs::write(at.join("a.md"), BAD).unwrap();
    watch.until(&["bad-state a.md", "bad-state b.md"]);
    // Windows does not move the working folder of a process.
    #[cfg(unix)]
    {
        let aside = at.parent().unwrap().join("aside");
        _ = fs::remove_dir_all(&aside);
        fs::rename(at, &aside).unwrap();
        watch.until(&[]);
        watch.said("file not found");
        fs::rename(&aside, at).unwrap();
        watch.until(&["bad-state a.md", "bad-state b.md"]);
    }
    fs::write(at.join("b.md"), GOOD).unwrap();
    watch.until(&["bad-state a.md"]);
}

#[test]
fn diagnostics_in_the_baseline_are_not_shown() {
    let folder = Folder::new("watch-baseline", &[("a.md", BAD), ("known", b"")]);
    assert_eq!(folder.run(&["check", "--baseline", "known", "--write-baseline"]).status, 0);
    let watch = Watch::start(&folder, &["--baseline", "known"]);
    watch.until(&[]);
    watch.said("1 diagnostic is known");
    fs::write(folder.path.join("b.md"), BAD).unwrap();
    watch.until(&["bad-state b.md"]);
    fs::write(folder.path.join("known"), "").unwrap();
    watch.until(&["bad-state a.md", "bad-state b.md"]);
    fs::write(folder.path.join("known"), "{").unwrap();
    watch.until(&["bad-state a.md", "bad-state b.md"]);
    watch.said("`known` is not a baseline");
}

/// When the system watches no more files, they are polled every few seconds. Tested with limits of
/// its own where user namespaces allow that; elsewhere it would need a change of the global limits.
#[cfg(target_os = "linux")]
#[test]
fn files_are_polled_if_the_system_sends_no_events() {
    let folder = Folder::new("watch-limits", &[("a.md", GOOD), ("b/c/d/e.md", GOOD)]);
    for (limit, number, advice) in [
        ("instances", 0, "max_user_instances=1024` lets more"),
        ("watches", 4, "max_user_watches=524288` lets it"),
    ] {
        let set = format!("echo {number} >/proc/sys/user/max_inotify_{limit}");
        let unshare = |script: &str| {
            let mut command = std::process::Command::new("unshare");
            command.args(["-Ur", "sh", "-c", script]).current_dir(&folder.path);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        if !unshare(&set).status().is_ok_and(|status| status.success()) {
            eprintln!("not tried: no limits can be set here");
            return;
        }
        let program = env!("CARGO_BIN_EXE_chatls");
        let script = format!("{set}; exec '{program}' check --watch --format json");
        let watch = Watch::of(unshare(&script).spawn().unwrap());
        watch.until(&[]);
        watch.said(advice);
        watch.said("0 diagnostics in 2 files; checking for changes every 2 seconds, press Ctrl+C to stop");
        fs::write(folder.path.join("a.md"), BAD).unwrap();
        watch.until(&["bad-state a.md"]);
        fs::write(folder.path.join("a.md"), GOOD).unwrap();
        watch.until(&[]);
    }
}

#[test]
fn it_reports_the_same_as_check() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    let folder = Folder::new("watch-same", &[("a.md", BAD)]);
    for format in ["human", "json", "jsonl", "github"] {
        let arguments = ["check", "--format", format, samples, "a.md"];
        let expected = folder.run(&arguments).stdout;
        let mut command = folder.command(&arguments);
        let mut child = command.arg("--watch").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = all(child.stdout.take().unwrap());
        until_watching(child.stderr.take().unwrap());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(stdout.recv_timeout(PATIENCE).unwrap(), expected, "{format}");
    }
}

/// Everything from a pipe, once it is closed.
fn all(mut pipe: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).unwrap();
        sender.send(text)
    });
    receiver
}

fn until_watching(stderr: ChildStderr) {
    let lines = lines(stderr);
    while !lines.recv_timeout(PATIENCE).unwrap().ends_with("press Ctrl+C to stop") {}
}

#[cfg(unix)]
#[test]
fn it_ends_with_ctrl_c_and_with_a_closed_pipe() {
    use std::os::unix::process::ExitStatusExt;

    let folder = Folder::new("watch-end", &[("a.md", BAD)]);
    let start = || {
        let mut command = interruptible(&folder.command(&["check", "--watch"]));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        until_watching(child.stderr.take().unwrap());
        child
    };
    let mut interrupted = start();
    let id = interrupted.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    // A shell reports it as 130.
    assert_eq!(ended(&mut interrupted).signal(), Some(2));
    let mut unread = start();
    drop(unread.stdout.take());
    assert_eq!(ended(&mut unread).code(), Some(1));
}

/// `command` with the default action for SIGINT, which background jobs of a shell inherit as
/// ignored.
#[cfg(unix)]
fn interruptible(command: &std::process::Command) -> std::process::Command {
    let mut env = std::process::Command::new("env");
    // An option of GNU env.
    env.args(cfg!(target_os = "linux").then_some("--default-signal=INT"));
    env.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        env.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => env.env(name, value),
            None => env.env_remove(name),
        };
    }
    env
}

#[cfg(unix)]
fn ended(child: &mut std::process::Child) -> std::process::ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn unwatchable_inputs_are_reported() {
    let folder = Folder::new("watch-not", &[("a.md", BAD)]);
    let stdin = "error: standard input cannot be watched";
    folder.run(&["check", "--watch", "-"]).check(2, "", stdin);
    let whole = "error: a report in this format is only complete at the end, which `--watch` never reaches: use `--format jsonl`";
    for format in ["sarif", "gitlab", "junit", "checkstyle", "rdjson"] {
        folder.run(&["check", "--watch", "--format", format]).check(2, "", whole);
    }
    for other in [&["--records"][..], &["--fix"], &["--diff"], &["--baseline", "known", "--write-baseline"]] {
        let run = folder.run(&[&["check", "--watch"], other].concat());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        let message = format!("the argument '--watch' cannot be used with '{}'", other.last().unwrap());
        assert!(run.stderr.contains(&message), "{}", run.stderr);
    }
}
