//! Tests of subjects, with folders on the disk.

use std::fs;
use std::ops::Deref;
use std::path::Path;

use super::*;

/// A folder that is removed at the end.
struct TestFolder {
    path: PathBuf,
    _made: tempfile::TempDir,
}

impl Deref for TestFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// The program that is in `PATH`.
const TOOL: &str = if cfg!(windows) { "bin/tool.exe" } else { "bin/tool" };

/// A folder of its own with an executable `run.sh` and a file `main.py`.
fn folder() -> TestFolder {
    let made = tempfile::tempdir().expect("a folder");
    let folder = dunce::canonicalize(made.path()).expect("a folder");
    fs::create_dir_all(folder.join("bin")).expect("a folder");
    fs::create_dir_all(folder.join("w")).expect("a folder");
    for file in [TOOL, "w/run.sh", "w/main.py"] {
        write(&folder.join(file), "1");
    }
    TestFolder { path: folder, _made: made }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
}

fn environment(folder: &Path) -> Environment {
    // Relative folders would be in the project.
    let path = std::env::join_paths([Path::new("."), Path::new("w"), Path::new(""), &folder.join("bin")]);
    [
        ("PATH".into(), path.expect("a path")),
        ("TOKEN".into(), "t0p-secret".into()),
        ("FILE".into(), "main.py".into()),
    ]
    .into_iter()
    .collect()
}

fn command(folder: &Path, words: &[&str], variables: &[(&str, &str)]) -> CommandSettings {
    let template = |text: &str| Template::parse(text, folder).expect("a template");
    CommandSettings {
        program: words[0].to_owned(),
        arguments: words[1..].iter().map(|word| template(word)).collect(),
        variables: variables.iter().map(|(name, value)| ((*name).to_owned(), template(value))).collect(),
        folder: folder.join("w"),
        base: folder.join("w"),
    }
}

fn subject(folder: &Path, words: &[&str], variables: &[(&str, &str)]) -> Result<Subject, String> {
    Subject::of_command(&command(folder, words, variables), &[], &environment(folder))
}

#[test]
fn any_change_makes_another_subject() {
    let folder = folder();
    let other = self::folder();
    let mut hashes = vec![
        subject(&folder, &["tool"], &[]),
        subject(&folder, &["tool", "a b"], &[]),
        subject(&folder, &["tool", "a", "b"], &[]),
        subject(&folder, &["tool", "${env:A}"], &[]),
        subject(&folder, &["tool"], &[("A", "1")]),
        subject(&folder, &["tool"], &[("A", "2")]),
        subject(&folder, &["tool"], &[("A", "${env:A}")]),
        subject(&folder, &["tool"], &[("B", "1")]),
        subject(&folder, &["./run.sh"], &[]),
        subject(&other, &["tool"], &[]),
    ];
    write(&folder.join("w/run.sh"), "2");
    hashes.push(subject(&folder, &["./run.sh"], &[]));
    let mut hashes: Vec<_> = hashes.into_iter().map(|subject| subject.expect("a subject").hash()).collect();
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
    let again = || subject(&folder, &["tool"], &[("A", "1")]).expect("a subject").hash();
    assert_eq!(again(), again());
}

#[test]
fn no_value_is_part_of_it() {
    let folder = folder();
    let variables = [("A", "l1teral"), ("B", "${env:TOKEN}"), ("C", "Bearer x9x${TOKEN}")];
    let subject = subject(&folder, &["tool", "--key=${env:TOKEN}"], &variables).expect("a subject");
    let shown = format!("{}\n{}", subject.text(), subject.lines().join("\n"));
    for secret in ["l1teral", "x9x", "t0p-secret"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(shown.contains("A (as in the file), B (from your TOKEN), C (from your TOKEN)"), "{shown}");
    assert!(shown.contains("'--key=${env:TOKEN}'"), "{shown}");
}

#[test]
fn names_of_variables_have_no_case_on_windows() {
    let variables = [("Path", "1"), ("windir", "2"), ("Größe", "3")];
    let of = |folds| Environment::new(variables.map(|(name, value)| (name.into(), value.into())), folds);
    let found = |environment: &Environment, names: [&str; 3]| names.map(|name| environment.get(name));
    let all = ["1", "2", "3"].map(|value| Some(value.to_owned()));
    assert_eq!(found(&of(true), ["PATH", "WinDir", "größe"]), all);
    assert_eq!(found(&of(false), ["Path", "windir", "Größe"]), all);
    assert_eq!(found(&of(false), ["PATH", "WinDir", "größe"]), [None, None, None]);
}

#[test]
fn a_command_line_shows_all_that_is_in_it() {
    let folder = folder();
    let words = ["tool", "rm\u{3000}x", "a\u{200b}b", "\u{202e}c", "é漢", "a b"];
    let lines = subject(&folder, &words, &[]).expect("a subject").lines();
    assert_eq!(lines[0], "command: tool 'rm\\u{3000}x' 'a\\u{200b}b' '\\u{202e}c' é漢 'a b'");
}

#[test]
fn files_of_the_project_are_part_of_it() {
    let folder = folder();
    let files = |words: &[&str]| match subject(&folder, words, &[]).expect("a subject").start {
        SubjectStart::Command { files, .. } => files
            .keys()
            .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
            .collect(),
        SubjectStart::Address { .. } => Vec::new(),
    };
    assert_eq!(files(&["tool", "main.py"]), ["main.py"]);
    assert_eq!(files(&["tool", "./main.py", "main.py"]), ["main.py"]);
    assert_eq!(files(&["tool", "--require=./main.py"]), ["main.py"]);
    assert_eq!(files(&["tool", "-r./main.py"]), ["main.py"]);
    assert_eq!(files(&["tool", "-c", "exec ./run.sh && python main.py"]), ["main.py", "run.sh"]);
    assert_eq!(files(&["tool", "@main.py"]), ["main.py"]);
    assert_eq!(files(&["tool", "./${env:FILE}"]), ["main.py"]);
    assert_eq!(files(&["tool", "${workspaceFolder}/w/main.py"]), ["main.py"]);
    assert_eq!(files(&["tool", &format!("../{TOOL}"), ".", "missing.py"]), [&TOOL["bin/".len()..]]);
    assert_eq!(files(&["./run.sh"]), ["run.sh"]);
    let subject = subject(&folder, &["tool", "main.py"], &[]).expect("a subject");
    assert!(subject.is_current());
    write(&folder.join("w/main.py"), "2");
    assert!(!subject.is_current());
}

#[test]
fn files_in_scripts_are_part_of_it() {
    let folder = folder();
    fs::create_dir_all(folder.join("w/my tools")).expect("a folder");
    for (script, file) in [
        ("exec \"./my tools/run.sh\"", "w/my tools/run.sh"),
        ("exec ./my\\ tools/run.sh", "w/my tools/run.sh"),
        ("cd 'my tools' && ./run.sh", "w/my tools/run.sh"),
        ("cd ../bin; ./tool", "bin/tool"),
    ] {
        write(&folder.join(file), "1");
        let before = subject(&folder, &["tool", "-c", script], &[]).expect("a subject");
        write(&folder.join(file), "2");
        assert!(!before.is_current(), "{script}");
        let after = subject(&folder, &["tool", "-c", script], &[]).expect("a subject");
        assert_ne!(before.hash(), after.hash(), "{script}");
        let lines = after.lines().join("\n").replace('\\', "/");
        assert!(lines.contains("compared: the content of ") && lines.contains(file), "{lines}");
        assert!(lines.ends_with("; what these start is not"), "{lines}");
    }
    let of_option = subject(&folder, &["tool", "--require=./my tools/run.sh"], &[]).expect("a subject");
    let text = of_option.text().replace("\\\\", "/");
    assert!(text.contains("my tools/run.sh\":"), "{text}");
    let none = subject(&folder, &["tool"], &[]).expect("a subject").lines().join("\n");
    assert!(none.ends_with("compared: the content of no file; what the command starts is not"), "{none}");
}

#[test]
fn output_of_a_script_is_not_part_of_it() {
    let folder = folder();
    let words = ["tool", "-c", "./run.sh > out.txt 2>> log.txt && cat out.txt"];
    let before = subject(&folder, &words, &[]).expect("a subject");
    write(&folder.join("w/out.txt"), "1");
    write(&folder.join("w/log.txt"), "1");
    let after = subject(&folder, &words, &[]).expect("a subject");
    assert_eq!(before.text(), after.text());
}

#[test]
fn long_files_are_compared_by_size_and_time() {
    let folder = folder();
    let path = folder.join("w/data.bin");
    let file = fs::File::create(&path).expect("a file");
    file.set_len(100 << 30).expect("a sparse file");
    let of = || subject(&folder, &["tool", "data.bin", "./main.py"], &[]).expect("a subject");
    let before = of();
    assert!(before.is_current());
    assert_eq!(before.hash(), of().hash());
    // Paths with a backslash are quoted.
    let lines = before.lines().join("\n").replace('\'', "");
    assert!(lines.contains("compared by size and time alone, over 64 MiB: "), "{lines}");
    assert!(lines.contains("main.py; what these start is not"), "{lines}");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    assert!(!before.is_current());
    let before = of();
    file.set_len(1).expect("a short file");
    assert!(!before.is_current());
    let before = of();
    file.set_len(100 << 30).expect("a sparse file");
    assert!(!before.is_current(), "a file that grew is not read");
}

#[test]
fn the_project_counts_in_other_working_folders() {
    let folder = folder();
    let script = folder.join("w/main.py");
    let elsewhere = CommandSettings {
        folder: folder.join("bin"),
        ..command(&folder, &["tool", &script.to_string_lossy()], &[])
    };
    let subject = Subject::of_command(&elsewhere, &[], &environment(&folder)).expect("a subject");
    assert!(subject.is_current());
    write(&script, "2");
    assert!(!subject.is_current());
    assert!(subject.project.contains(&folder.join("w")), "no consent is kept there");
}

#[test]
fn programs_are_not_looked_up_in_the_project() {
    let folder = folder();
    write(&folder.join("w/evil"), "1");
    let message = subject(&folder, &["evil"], &[]).expect_err("no program");
    assert_eq!(message, "there is no program `evil` in `PATH`");
    let message = subject(&folder, &["./main.txt"], &[]).expect_err("no program");
    assert!(message.contains("not an executable file"), "{message}");
}

#[cfg(unix)]
#[test]
fn links_count_as_their_targets() {
    let folder = folder();
    std::os::unix::fs::symlink(folder.join("w/run.sh"), folder.join("bin/linked")).expect("a link");
    let start = |subject: Subject| match subject.start {
        SubjectStart::Command { files, .. } => files.len(),
        SubjectStart::Address { .. } => 0,
    };
    assert_eq!(
        start(subject(&folder, &["linked"], &[]).expect("a subject")),
        1,
        "out of PATH into the project"
    );
    std::os::unix::fs::symlink("/bin/sh", folder.join("w/sh")).expect("a link");
    assert_eq!(start(subject(&folder, &["./sh"], &[]).expect("a subject")), 1, "out of the project");
}

#[test]
fn listings_stay_in_the_project() {
    let folder = folder();
    let subject = subject(&folder, &["tool"], &[]).expect("a subject");
    assert!(subject.may_write_listing(&folder.join("w/tools.json")));
    assert!(!subject.may_write_listing(&folder.join("w/.bashrc")));
    assert!(!subject.may_write_listing(&folder.join("tools.json")));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("tools.json"), folder.join("w/out.json")).expect("a link");
        write(&folder.join("tools.json"), "{}");
        assert!(!subject.may_write_listing(&folder.join("w/out.json")), "a link out of it");
    }
}

#[test]
#[cfg(unix)]
fn the_hash_depends_on_the_configuration_alone() {
    let folder = folder();
    std::os::unix::fs::symlink(folder.join("w"), folder.join("link")).expect("a link");
    for words in [&["./run.sh", "main.py"][..], &["../bin/tool", "../bin/tool"], &["tool", "../bin/tool"]] {
        let of = |around: &str, open: &[PathBuf]| {
            let around = folder.join(around);
            let command =
                CommandSettings { folder: around.clone(), base: around, ..command(&folder, words, &[]) };
            Subject::of_command(&command, open, &environment(&folder)).expect("a subject").text()
        };
        let text = of("w", &[]);
        assert_eq!(
            of("w", std::slice::from_ref(&folder.path)),
            text,
            "an editor has the folder around it open"
        );
        for around in ["link", "w/", "w/.", "link/../w"] {
            assert_eq!(of(around, &[]), text, "{around}");
        }
        assert!(text.contains(words.last().expect("a word").trim_start_matches("..")), "{text}");
    }
}

#[test]
fn keys_in_addresses_are_not_shown() {
    for (url, shown) in [
        ("https://e.com/mcp", "https://e.com/mcp"),
        ("https://e.com/mcp?v=1&API_KEY=abc#x", "https://e.com/mcp?v=1&API_KEY=[redacted]#x"),
        ("https://e.com/?access_token=abc&a", "https://e.com/?access_token=[redacted]&a"),
    ] {
        assert_eq!(without_keys(url), shown);
    }
}

#[test]
fn addresses_are_subjects() {
    let address = |url: &str, header: &str| {
        let headers =
            BTreeMap::from([("K".to_owned(), Template::parse(header, Path::new("/w")).expect("a template"))]);
        let start =
            ServerStart::Address(AddressSettings { url: url.to_owned(), headers, folder: "/w".into() });
        Subject::of_server(&start, &[], &Environment::default()).expect("a subject")
    };
    let one = address("http://example.com/mcp", "s3cret");
    assert_ne!(one.hash(), address("http://example.com/mcp", "other").hash());
    assert_ne!(one.hash(), address("http://example.com/mcp2", "s3cret").hash());
    let shown = one.lines().join("\n");
    assert!(shown.contains("without encryption") && !shown.contains("s3cret"), "{shown}");
    assert!(!address("http://127.0.0.1:1/mcp", "").lines().join("\n").contains("encryption"));
    assert_eq!(SubjectHash::parse(one.hash().as_str()), Some(one.hash()));
    assert_eq!(SubjectHash::parse("../../etc/passwd"), None);
}

#[test]
#[cfg(unix)]
fn listings_are_written_in_the_project_alone() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    fs::create_dir_all(folder.join("w/real")).expect("a folder");
    for (target, link) in [("bin", "out"), ("w/real", "in"), ("bin/none", "broken"), ("bin/x.json", "l.json")]
    {
        symlink(folder.join(target), folder.join("w").join(link)).expect("a link");
    }
    let subject = subject(&folder, &["tool"], &[]).expect("a subject");
    for (file, expected) in [
        ("x.json", true),
        ("x.toml", false),
        ("new/sub/x.json", true),
        ("in/sub/x.json", true),
        ("out/x.json", false),
        ("out/sub/x.json", false),
        ("out/sub/deeper/x.json", false),
        ("broken/x.json", false),
        ("l.json", false),
        ("none/../../bin/x.json", false),
    ] {
        assert_eq!(subject.may_write_listing(&folder.join("w").join(file)), expected, "{file}");
    }
}
