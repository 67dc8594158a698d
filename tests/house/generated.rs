//! Files and tables that are generated from the code. `UPDATE=1 cargo test --test main generated`
//! writes them.
//!
//! A generated block stands between `<!-- generated: NAME -->` and `<!-- end -->`.

mod families;
mod settings;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use chatls::call::pairing::Pairing;
use chatls::config::schema;
use chatls::diagnostic::{Code, Severity};
use chatls::dialect::DIALECTS;
use serde_json::Value;

use super::samples::samples;

/// Tests run in parallel, and some write blocks of the same file.
static FILES: Mutex<()> = Mutex::new(());

#[test]
fn schema_of_the_configuration_is_generated() {
    check("editors/chatls.schema.json", |_| format!("{:#}\n", schema()));
}

#[test]
fn settings_of_vs_code_are_generated() {
    check("editors/vscode/package.json", |manifest| {
        let mut manifest: Value = serde_json::from_str(manifest).unwrap();
        settings::replace(&mut manifest, &schema());
        format!("{manifest:#}\n")
    });
}

#[test]
fn codes_in_the_reference_are_generated() {
    let rows = Code::ALL.iter().map(|code| {
        let name = code.name();
        let severity = code.default_severity().map_or("off", Severity::name);
        let name = format!("[`{name}`](rules/{name}.md)");
        [name, severity.to_owned(), paragraph(code.page(), "Reported")]
    });
    check_block("docs/formats.md", "codes", &table(["code", "default", "reported"], rows));
}

#[test]
fn dialects_in_the_reference_are_generated() {
    let rows = DIALECTS.iter().map(|dialect| {
        let pairing = match dialect.pairing {
            Pairing::SelfContained => "in the block of its call",
            Pairing::ById => "by its id",
            Pairing::EarlierCall { .. } => "by its position",
            Pairing::InConversation => "by its id in a conversation, else by its position",
        };
        let written = if dialect.writer.is_some() { "yes" } else { "no" };
        let name = format!("`{}`", dialect.name);
        [name, dialect.form.to_owned(), pairing.to_owned(), written.to_owned()]
    });
    let table = table(["dialect", "form", "the result is found", "converted to"], rows);
    check_block("docs/formats.md", "dialects", &table);
}

/// The notes on dialects without a section of their own: the documentation of the module after its
/// first paragraph.
#[test]
fn notes_on_dialects_are_generated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let reference = {
        let _guard = FILES.lock();
        fs::read_to_string(root.join("docs/formats.md")).unwrap()
    };
    let headings: Vec<_> = reference.lines().filter(|line| line.starts_with("### 3.")).collect();
    let mut notes = Vec::new();
    for dialect in DIALECTS {
        let name = format!("`{}`", dialect.name);
        if headings.iter().any(|heading| heading.contains(&name)) {
            continue;
        }
        let code = fs::read_to_string(root.join(format!("src/dialect/{}.rs", dialect.name))).unwrap();
        let comment = code.lines().map_while(|line| line.strip_prefix("//!"));
        let comment =
            comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
        let (_, note) = comment.split_once("\n\n").unwrap_or_else(|| panic!("no note on {name}"));
        notes.push(format!("#### {name}\n\n{note}"));
    }
    check_block("docs/formats.md", "notes", &notes.join("\n\n"));
}

#[test]
fn dialects_in_the_readme_are_generated() {
    let mut samples_of: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, document) in samples() {
        if ["broken.chat.md", "demo.chat.md"].contains(&&*name) {
            continue;
        }
        for tool_use in document.tool_uses() {
            let of_dialect = samples_of.entry(tool_use.dialect).or_default();
            let link = format!("[{name}](samples/{name})");
            if !of_dialect.contains(&link) {
                of_dialect.push(link);
            }
        }
    }
    let rows = DIALECTS.iter().map(|dialect| {
        let samples = samples_of.get(dialect.name).unwrap_or_else(|| panic!("no sample of {}", dialect.name));
        [format!("`{}`", dialect.name), dialect.form.to_owned(), samples.join(", ")]
    });
    check_block("README.md", "dialects", &table(["dialect", "form", "sample"], rows));
}

/// The first problem that `check` prints, and the sums.
#[test]
fn output_in_the_readme_is_generated() {
    let output = Command::new(env!("CARGO_BIN_EXE_chatls"))
        .args(["check", "samples/broken.chat.md"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines = || printed.lines().map(str::trim_end);
    let first: Vec<_> = lines().take_while(|line| !line.is_empty()).collect();
    let first = first.join("\n");
    let sums = lines().next_back().unwrap();
    assert!(first.starts_with("error[") && sums.contains("error"), "{printed}");
    let example = format!("```console\n$ chatls check samples/broken.chat.md\n{first}\n…\n{sums}\n```");
    check_block("README.md", "check", &example);
}

/// Compares a file with what `fresh` makes of it, or writes it.
#[track_caller]
fn check(name: &str, fresh: impl FnOnce(&str) -> String) {
    let _guard = FILES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    // Git may check files out with other line ends.
    let kept = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let fresh = fresh(&kept);
    if kept == fresh {
        return;
    }
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, fresh).unwrap();
    }
    let line = kept.lines().zip(fresh.lines()).position(|(kept, fresh)| kept != fresh);
    let line = line.unwrap_or_else(|| kept.lines().count().min(fresh.lines().count())) + 1;
    panic!("{name}:{line} is not up to date: run `UPDATE=1 cargo test --test main generated`");
}

/// The same for the generated block `block` of a file.
#[track_caller]
fn check_block(name: &str, block: &str, fresh: &str) {
    check(name, |text| {
        let opening = format!("<!-- generated: {block} -->\n");
        let start = text.find(&opening).unwrap_or_else(|| panic!("no block {block} in {name}"));
        let start = start + opening.len();
        let end = start + text[start..].find("<!-- end -->").unwrap_or_else(|| panic!("no end of {block}"));
        format!("{}\n{fresh}\n\n{}", &text[..start], &text[end..])
    });
}

fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let head = [format!("| {} |", head.join(" | ")), format!("|{}", "---|".repeat(N))];
    head.into_iter().chain(rows.map(|cells| row(&cells))).collect::<Vec<_>>().join("\n")
}

/// The paragraph under the heading `heading` of `page`, on one line.
fn paragraph(page: &str, heading: &str) -> String {
    let (_, behind) = page.split_once(&format!("\n## {heading}\n\n")).expect("the heading");
    let (paragraph, _) = behind.split_once("\n\n").expect("an end");
    paragraph.replace('\n', " ")
}
