//! Rewritten files: either complete or unchanged, whatever happens in between.

#![cfg(unix)]

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::run::Folder;

const BAD: &str = "```tool\n{\"toolName\": \"f\", \"input\": {\"a\": 1},}\n```\n\n";
const GOOD: &str = "```tool\n{\"toolName\": \"f\", \"input\": {\"a\": 1}}\n```\n\n";

/// A text that takes a while to write, and its fixed form.
fn long() -> (String, String) {
    let prose = format!("{}\n\n", "many words ".repeat(10)).repeat(40_000);
    (format!("{BAD}{prose}{BAD}"), format!("{GOOD}{prose}{GOOD}"))
}

fn names(folder: &Folder) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(&folder.path).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Starts the program with default signal handling: a script's background jobs ignore SIGINT.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let program = folder.command(&[]).get_program().to_owned();
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM,HUP").arg(program).args(arguments).current_dir(&folder.path);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    // It may have ended already.
    _ = Command::new("kill").args([name, &id]).stderr(Stdio::null()).status().unwrap();
}

/// The temporary file beside `a.md`, once it exists.
fn beside(folder: &Folder, child: &mut Child) -> Option<PathBuf> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(name) = names(folder).into_iter().find(|name| name.starts_with(".chatls-")) {
            return Some(folder.path.join(name));
        }
        if child.try_wait().unwrap().is_some() {
            return None;
        }
    }
    panic!("it takes too long");
}

/// Repeats a `round` until it is true: until the program was met while it writes, which a busy
/// machine makes rare.
fn until(what: &str, mut round: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !round() {
        assert!(begun.elapsed() < Duration::from_secs(300), "never met in between: {what}");
    }
}

#[test]
fn a_file_with_hard_links_is_replaced_and_that_is_reported() {
    let folder = Folder::new("replacing-links", &[("a.md", BAD.as_bytes())]);
    let at = |name: &str| folder.path.join(name);
    fs::hard_link(at("a.md"), at("b.txt")).unwrap();
    let run = folder.run(&["check", "--fix", "a.md"]);
    assert_eq!(fs::read_to_string(at("a.md")).unwrap(), GOOD);
    assert_eq!(fs::read_to_string(at("b.txt")).unwrap(), BAD);
    assert!(run.stderr.contains("warning: `a.md` had other hard links"), "{}", run.stderr);
    assert_eq!((run.status, names(&folder)), (0, vec!["a.md".to_owned(), "b.txt".to_owned()]));
}

/// After a kill at any time the file is the old or the new one.
#[test]
fn a_killed_command_leaves_a_complete_file() {
    let (bad, good) = long();
    let folder = Folder::new("replacing-killed", &[("a.md", b"")]);
    let at = |name: &str| folder.path.join(name);
    let round = |wait| {
        fs::write(at("a.md"), &bad).unwrap();
        fs::hard_link(at("a.md"), at("b.txt")).unwrap();
        let mut child = start(&folder, &["check", "--fix", "a.md"]);
        let is_between = beside(&folder, &mut child).is_some();
        if is_between {
            std::thread::sleep(Duration::from_millis(wait));
        }
        signal(&child, "-KILL");
        let is_killed = child.wait().unwrap().code().is_none();
        let text = fs::read_to_string(at("a.md")).unwrap();
        assert!(text == bad || text == good, "{} of {} bytes", text.len(), bad.len());
        assert!(fs::read_to_string(at("b.txt")).unwrap() == bad);
        names(&folder).iter().for_each(|name| fs::remove_file(at(name)).unwrap());
        is_between && is_killed
    };
    (1..12).for_each(|wait| _ = round(wait));
    until("it is killed in between", || round(0));
}

#[test]
fn an_interrupted_command_removes_temporary_files() {
    use std::os::unix::process::ExitStatusExt;
    let (bad, good) = long();
    let folder = Folder::new("replacing-interrupted", &[("a.md", b"")]);
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        until(name, || {
            fs::write(folder.path.join("a.md"), &bad).unwrap();
            let mut child = start(&folder, &["check", "--fix", "a.md"]);
            if beside(&folder, &mut child).is_some() {
                signal(&child, name);
            }
            let status = child.wait().unwrap();
            let is_interrupted = status.signal() == Some(number);
            assert!(is_interrupted || status.code() == Some(0), "{status:?}");
            assert_eq!(names(&folder), ["a.md"], "{name}");
            let text = fs::read_to_string(folder.path.join("a.md")).unwrap();
            assert!(text == bad || text == good, "{name}: {} of {} bytes", text.len(), bad.len());
            is_interrupted
        });
    }
}

/// Signals that the caller ignores stay ignored, as under `nohup`.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = Folder::new("replacing-nohup", &[("z.md", b"")]);
    let pipe = folder.path.join("pipe.md");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let program = folder.command(&[]).get_program().to_owned();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" check pipe.md"]).arg(program).current_dir(&folder.path);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // It is reading once this is open.
    let mut writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    signal(&child, "-HUP");
    std::thread::sleep(Duration::from_millis(100));
    writer.write_all(b"text\n").unwrap();
    drop(writer);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A file size limit stands for a full disk.
#[test]
fn a_full_disk_leaves_the_old_text() {
    let bad = format!("{BAD}```tool\n{{\"toolName\":\"f\"}}\n```\n\n").repeat(60);
    let folder = Folder::new("replacing-full", &[("a.md", bad.as_bytes())]);
    fs::hard_link(folder.path.join("a.md"), folder.path.join("b.txt")).unwrap();
    let program = folder.command(&[]).get_program().to_owned();
    for arguments in [&["check", "--fix"][..], &["fmt"], &["convert", "--lossy", "--to", "tag", "--write"]] {
        let mut command = Command::new("bash");
        command.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""]).arg(&program).args(arguments).arg("a.md");
        let output = command.current_dir(&folder.path).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot write"), "{arguments:?}: {stderr}");
        assert_eq!(fs::read_to_string(folder.path.join("a.md")).unwrap(), bad, "{arguments:?}");
        assert_eq!(names(&folder), ["a.md", "b.txt"], "{arguments:?}");
    }
}

/// The message has the name that the user gave.
#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = Folder::new("replacing-nowhere", &[("a.md", BAD.as_bytes())]);
    let run = folder.run(&["check", "-o", "no/report.json", "a.md"]);
    let reason = "no new file can be created in its folder: No such file or directory (os error 2)";
    run.check(2, "", &format!("error: cannot write `no/report.json`: {reason}"));
}

#[test]
fn concurrent_writes_of_other_programs_are_kept() {
    let (bad, _) = long();
    let new = format!("{bad}new\n");
    let folder = Folder::new("replacing-changed", &[("a.md", b"")]);
    let path = folder.path.join("a.md");
    let other = folder.path.join("other");
    let ways: [(&str, &dyn Fn()); 3] = [
        ("in place", &|| fs::write(&path, &new).unwrap()),
        ("at the end", &|| {
            let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
            file.write_all(b"new\n").unwrap();
        }),
        ("another file", &|| {
            fs::write(&other, &new).unwrap();
            fs::rename(&other, &path).unwrap();
        }),
    ];
    for (way, write) in ways {
        until(way, || {
            fs::write(&path, &bad).unwrap();
            let mut command = folder.command(&["check", "--fix", "a.md"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            if beside(&folder, &mut child).is_none() {
                return false;
            }
            write();
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            // If the file had been replaced already, the other program wrote into the new file.
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.ends_with("new\n"), "{way}: {stderr}");
            assert_eq!(names(&folder), ["a.md"], "{way}");
            let is_refused = output.status.code() == Some(2);
            if is_refused {
                let reason = "cannot write `a.md`: another program changed it in the meantime";
                assert!(stderr.contains(reason), "{stderr}");
                assert!(text == new, "{way}");
            }
            is_refused
        });
    }
}

#[test]
fn attributes_are_kept() {
    use xattr::FileExt;
    let folder = Folder::new("replacing-attributes", &[("a.md", BAD.as_bytes())]);
    let path = folder.path.join("a.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let file = fs::File::open(&path).unwrap();
    // Not every file system supports them.
    let has_them = file.set_xattr("user.chatls", b"kept").is_ok();
    let before = file.metadata().unwrap();
    assert_eq!(folder.run(&["check", "--fix", "a.md"]).status, 0);
    let file = fs::File::open(&path).unwrap();
    let after = file.metadata().unwrap();
    assert_ne!(before.ino(), after.ino(), "it was replaced");
    assert_eq!((before.mode(), before.uid(), before.gid()), (after.mode(), after.uid(), after.gid()));
    if has_them {
        assert_eq!(file.get_xattr("user.chatls").unwrap().as_deref(), Some(&b"kept"[..]));
    }
}

/// Another user's file is written in place, so that it keeps its owner and links. Only root can set
/// this up.
#[test]
fn a_file_of_another_user_keeps_its_owner() {
    use std::os::unix::process::CommandExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let allow = |path: PathBuf, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    allow(folder.path().to_owned(), 0o777);
    // The program's folder may be inaccessible to other users.
    fs::copy(env!("CARGO_BIN_EXE_chatls"), at("chatls")).unwrap();
    fs::write(at("a.md"), BAD.repeat(3)).unwrap();
    fs::hard_link(at("a.md"), at("b.txt")).unwrap();
    allow(at("chatls"), 0o755);
    allow(at("a.md"), 0o666);
    let before = fs::metadata(at("a.md")).unwrap();
    let mut command = Command::new(at("chatls"));
    if before.uid() == 0 {
        command.uid(65534).gid(65534);
    }
    command.args(["check", "--fix", "a.md"]).current_dir(folder.path());
    // A process that another test starts has the copy open for a moment.
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(10));
            }
            output => break output.unwrap(),
        }
    };
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(at("a.md")).unwrap(), GOOD.repeat(3));
    let after = fs::metadata(at("a.md")).unwrap();
    assert_eq!((before.uid(), before.mode()), (after.uid(), after.mode()));
    if before.uid() == 0 {
        assert_eq!(before.ino(), after.ino());
        assert_eq!(fs::read_to_string(at("b.txt")).unwrap(), GOOD.repeat(3));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing lies beside it");
}
