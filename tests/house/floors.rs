//! The order of the top-level modules: each one uses only modules of lower floors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chatls::dialect::DIALECTS;

/// The top-level modules, lowest floor first. Modules of one floor do not use each other.
const FLOORS: &[&[&str]] = &[
    &["never", "ordered"],
    &["nearest", "prose", "text"],
    &["diagnostic", "json", "syntax"],
    &["json_repair", "schema", "trial"],
    &["call", "registry"],
    &["forms"],
    &["config"],
    &["messages"],
    &["dialect", "files", "guide"],
    &["rules", "sessions"],
    &["segments"],
    &["document"],
    &["places"],
    &["checks"],
    &["fixes"],
    &["convert", "events"],
    &["features"],
    &["run"],
    &["lsp"],
    &["cli", "wasm"],
];

#[test]
fn modules_use_lower_floors_only() {
    let mut faults = Vec::new();
    for_each_file(&mut |name, code| {
        let module = top_level(name);
        let Some(floor) = floor_of(module) else { return };
        for used in paths(code, "crate::") {
            match floor_of(used) {
                _ if used == module => {}
                Some(below) if below < floor => {}
                Some(_) => faults.push(format!("{name} uses {used}, which is not below {module}")),
                None => faults.push(format!("{name} uses {used}, which is on no floor")),
            }
        }
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_module_is_on_a_floor_and_in_the_map() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let modules = lib.lines().map(|line| line.strip_prefix("pub ").unwrap_or(line));
    let declared: BTreeSet<_> = modules.filter_map(|it| it.strip_prefix("mod ")?.strip_suffix(';')).collect();
    let on_floors: BTreeSet<_> = FLOORS.iter().copied().flatten().copied().collect();
    assert_eq!(declared, on_floors);

    // Both maps list the modules from the lowest floor up.
    let in_lib =
        lib.lines().filter_map(|line| line.strip_prefix("//! - ")).flat_map(names_in_links).collect();
    assert_order(in_lib, "src/lib.rs");
    let page = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `src/")?.split(" | ").next());
    let in_page = rows.map(|row| row.split(['/', '.', '`']).next().unwrap().to_owned()).collect();
    assert_order(in_page, "docs/architecture.md");
}

/// The names in `` [`a`], [`b`]: … ``.
fn names_in_links(line: &str) -> Vec<String> {
    let links = line.split("]: ").next().unwrap_or_default().split(": ").next().unwrap_or_default();
    links.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[track_caller]
fn assert_order(listed: Vec<String>, page: &str) {
    let floors: Vec<_> =
        listed.iter().map(|it| floor_of(it).unwrap_or_else(|| panic!("{it} in {page}"))).collect();
    assert!(floors.is_sorted(), "{page}: {listed:?}");
    let unique: BTreeSet<_> = listed.iter().collect();
    assert_eq!(unique.len(), FLOORS.iter().copied().flatten().count(), "{page}: {listed:?}");
}

#[test]
fn dialects_do_not_know_each_other() {
    let mut faults = Vec::new();
    for_each_file(&mut |name, code| {
        let Some(own) = name.strip_prefix("dialect/").map(|it| it.split(['/', '.']).next().unwrap()) else {
            return;
        };
        if !is_dialect(own) {
            return;
        }
        let siblings = paths(code, "super::").into_iter().filter(|_| name.matches('/').count() == 1);
        for used in paths(code, "crate::dialect::").into_iter().chain(siblings) {
            if is_dialect(used) && used != own {
                faults.push(format!("{name} uses {used}"));
            }
        }
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

fn is_dialect(module: &str) -> bool {
    DIALECTS.iter().any(|dialect| dialect.name == module)
}

fn floor_of(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// The top-level module of the file `name`, a path relative to `src`.
pub fn top_level(name: &str) -> &str {
    name.split(['/', '.']).next().unwrap_or_default()
}

/// The identifiers after `prefix` in `code`.
fn paths<'a>(code: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let ends = |rest: &'a str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let is_start =
        |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == ':');
    let places = code.match_indices(prefix).filter(|(at, _)| is_start(*at));
    places
        .map(|(at, _)| &code[at + prefix.len()..])
        .map(|rest| &rest[..ends(rest)])
        .filter(|it| !it.is_empty())
        .collect()
}

/// Visits each file of `src` by its path there and its code, without comments and tests.
pub fn for_each_file(visit: &mut impl FnMut(&str, &str)) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    super::rooms::walk(&src, &mut |path| {
        let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        let is_test =
            name.ends_with("/tests.rs") || name.contains("/tests/") || name == "features/samples.rs";
        if is_test || ["lib.rs", "main.rs"].contains(&&*name) {
            return;
        }
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code: Vec<_> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        visit(&name, &code.join("\n"));
    });
}
