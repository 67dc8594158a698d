//! What the README shows is what the program prints.

use std::path::Path;
use std::process::Command;

/// Every line of the README's console example that is not a command or `…` is a line of `check`'s output.
#[test]
fn the_console_example_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let example = readme.split("```console\n").nth(1).and_then(|rest| rest.split("```\n").next()).unwrap();
    let shown: Vec<_> = example.lines().filter(|line| !line.starts_with("$ ") && *line != "…").collect();
    let output = Command::new(env!("CARGO_BIN_EXE_chatls"))
        .args(["check", "samples/broken.chat.md"])
        .current_dir(root)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(shown.len() > 4, "{shown:?}");
    for line in shown {
        assert!(
            printed.lines().any(|printed| printed.trim_end() == line.trim_end()),
            "{line:?} in\n{printed}"
        );
    }
}
