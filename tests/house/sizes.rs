//! Code is the same in all builds but for tests and checks: no size, and no other value, depends on
//! the build, so that tests take the ways that users take.

use std::fs;
use std::path::Path;

use super::rooms::walk;

/// The files that may ask for the kind of build: the hooks of tests, and the reports of broken
/// invariants.
const ALLOWED: [&str; 2] = ["lsp/server/options.rs", "never.rs"];

/// True if `line`, which is followed by `next`, depends on the build. Modules may be for tests.
fn depends_on_build(line: &str, next: &str) -> bool {
    let line = line.trim_start();
    let asks = ["cfg!(", "cfg(", "cfg_attr("].iter().any(|form| line.contains(form));
    let words = || line.split(|at: char| !at.is_alphanumeric() && at != '_');
    let of_build = asks && words().any(|word| word == "test" || word == "debug_assertions");
    let is_module = next.split_whitespace().any(|word| word == "mod");
    of_build && (line.contains("not(") || !is_module)
}

#[test]
fn nothing_depends_on_the_build() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut faults, mut used) = (Vec::new(), Vec::new());
    walk(&src, &mut |path| {
        let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for (at, line) in lines.iter().enumerate() {
            if depends_on_build(line, lines.get(at + 1).unwrap_or(&"")) {
                match ALLOWED.iter().find(|allowed| **allowed == name) {
                    Some(allowed) => used.push(*allowed),
                    None => faults.push(format!("{name}: {line}")),
                }
            }
        }
    });
    assert!(faults.is_empty(), "pass a size in, as `Settings::sizes`: {faults:#?}");
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), ALLOWED.len(), "a file that does not ask: {used:?}");
    for line in ["const A: usize = if cfg!(test) { 1 } else { 2 };", "#[cfg(not(debug_assertions))]"] {
        assert!(depends_on_build(line, "const B: usize = 1;"), "{line}");
    }
}
