//! No path leaves the folder.

use super::*;

/// Runs each tool that reads or writes with `path`; returns their messages.
fn refusals(folder: &Path, path: &str) -> Vec<String> {
    let calls = [
        ("read_file", json!({"path": path})),
        ("write_file", json!({"path": path, "content": "changed"})),
        ("edit_file", json!({"filePath": path, "searchReplaceBlock": block("secret", "changed")})),
        ("text_editor", json!({"command": "view", "path": path})),
        ("text_editor", json!({"command": "create", "path": path, "content": "changed"})),
        (
            "text_editor",
            json!({"command": "str_replace", "path": path, "old_str": "secret", "new_str": "changed"}),
        ),
    ];
    calls.iter().map(|(name, input)| run_in(folder, name, input)).collect()
}

#[test]
fn paths_that_lead_out() {
    let outer = folder_with(&[("outside.txt", "secret"), ("in/a.txt", "a"), ("in/sub/b.txt", "b")]);
    let folder = outer.path().join("in");
    let absolute = outer.path().join("outside.txt").display().to_string();
    let mut paths = vec!["../outside.txt".to_owned(), "sub/../../outside.txt".to_owned(), absolute];
    paths.extend(["..", "/", "/dev/zero", "/etc/passwd", "", "."].map(str::to_owned));
    for path in paths {
        for said in refusals(&folder, &path) {
            assert!(said.starts_with('!'), "{path}: {said}");
        }
        let deleted = run_in(&folder, "delete_file", &json!({"path": path}));
        assert!(deleted.starts_with('!'), "{path}: {deleted}");
    }
    assert_eq!(text_of(&outer, "outside.txt"), "secret");
    assert!(
        run_in(&folder, "read_file", &json!({"path": "../outside.txt"})).contains("leads out of the folder")
    );
    // A path that stays inside is no problem.
    assert_eq!(run_in(&folder, "read_file", &json!({"path": "sub/../a.txt"})), "a");
}

#[cfg(unix)]
mod links {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn links_that_lead_out() {
        let outer = folder_with(&[("outside.txt", "secret"), ("in/a.txt", "a"), ("other/c.txt", "secret")]);
        let folder = outer.path().join("in");
        let link = |target: &Path, name: &str| symlink(target, folder.join(name)).expect("a link");
        link(&outer.path().join("outside.txt"), "absolute");
        link(Path::new("../outside.txt"), "relative");
        link(&outer.path().join("other"), "dir");
        link(Path::new("relative"), "twice");
        link(Path::new("loop"), "loop");
        link(Path::new("../made.txt"), "dangling");
        for path in ["absolute", "relative", "dir/c.txt", "dir/new.txt", "twice", "loop", "dangling"] {
            for said in refusals(&folder, path) {
                assert!(said.starts_with('!'), "{path}: {said}");
            }
        }
        // Of a link, the link itself is deleted.
        assert_eq!(run_in(&folder, "delete_file", &json!({"path": "relative"})), "deleted `relative`");
        assert!(run_in(&folder, "delete_file", &json!({"path": "dir/c.txt"})).starts_with('!'));
        assert_eq!(text_of(&outer, "outside.txt"), "secret");
        assert_eq!(text_of(&outer, "other/c.txt"), "secret");
        assert!(!outer.path().join("made.txt").exists());
        assert!(!outer.path().join("other/new.txt").exists());
    }

    #[test]
    fn links_that_stay_inside_are_followed() {
        let folder = folder_with(&[("a.txt", "a"), ("sub/b.txt", "b")]);
        symlink("../a.txt", folder.path().join("sub/link")).expect("a link");
        symlink("sub", folder.path().join("way")).expect("a link");
        let run = |name: &str, input: Value| run_in(folder.path(), name, &input);
        assert_eq!(run("read_file", json!({"path": "way/link"})), "a");
        run("write_file", json!({"path": "way/link", "content": "new"}));
        assert_eq!(text_of(&folder, "a.txt"), "new");
        assert!(fs::symlink_metadata(folder.path().join("sub/link")).expect("a link").is_symlink());
    }

    #[test]
    fn a_link_that_is_swapped_in_leads_nowhere() {
        let outer = folder_with(&[("out/a.txt", "secret"), ("in/x/a.txt", "mine"), ("in/y/a.txt", "mine")]);
        let folder = outer.path().join("in");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let _ = fs::rename(folder.join("x"), folder.join("kept"));
                    let _ = symlink("../out", folder.join("x"));
                    let _ = fs::remove_file(folder.join("x"));
                    let _ = fs::rename(folder.join("kept"), folder.join("x"));
                }
            });
            for _ in 0..300 {
                let said = run_in(&folder, "read_file", &json!({"path": "x/a.txt"}));
                assert!(!said.contains("secret"), "{said}");
                run_in(&folder, "write_file", &json!({"path": "x/a.txt", "content": "mine"}));
            }
            done.store(true, Ordering::Relaxed);
        });
        assert_eq!(text_of(&outer, "out/a.txt"), "secret");
    }

    #[test]
    fn pipes_and_devices_are_not_opened() {
        let folder = folder_with(&[]);
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        for said in refusals(folder.path(), "pipe") {
            assert!(said.contains("not a regular file"), "{said}");
        }
        let read = run_in(Path::new("/dev"), "read_file", &json!({"path": "zero"}));
        assert!(read.contains("not a regular file"), "{read}");
    }

    #[test]
    fn names_that_are_no_text() {
        let folder = folder_with(&[]);
        fs::write(folder.path().join(OsStr::from_bytes(b"\xff.txt")), "a").expect("a file");
        let read = |path: &str| run_in(folder.path(), "read_file", &json!({"path": path}));
        assert_eq!(read("\u{fffd}.txt"), "!`\u{fffd}.txt` does not exist");
        assert!(read("a\0b").starts_with('!'));
        let deep = "d/".repeat(3000) + "a";
        assert!(read(&deep).starts_with('!'));
        assert!(
            run_in(folder.path(), "write_file", &json!({"path": "x".repeat(300), "content": ""}))
                .starts_with('!')
        );
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn permissions_are_kept() {
        let folder = folder_with(&[("run.sh", "a"), ("fixed.txt", "a")]);
        let place = folder.path().join("run.sh");
        fs::set_permissions(&place, fs::Permissions::from_mode(0o750)).expect("permissions");
        run_in(folder.path(), "write_file", &json!({"path": "run.sh", "content": "b"}));
        assert_eq!(fs::metadata(&place).expect("a file").permissions().mode() & 0o777, 0o750);
        assert_eq!(text_of(&folder, "run.sh"), "b");
    }

    #[test]
    fn other_hard_links_keep_their_text() {
        let outer = folder_with(&[("out.txt", "secret"), ("in/a.txt", "a")]);
        fs::hard_link(outer.path().join("out.txt"), outer.path().join("in/b.txt")).expect("a link");
        run_in(&outer.path().join("in"), "write_file", &json!({"path": "b.txt", "content": "b"}));
        assert_eq!(text_of(&outer, "out.txt"), "secret");
    }
}
