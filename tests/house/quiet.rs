//! Ordinary READMEs and documentation have no diagnostics: those in `tests/data/quiet`, and those
//! in the developer's cargo registry (`CHATLS_QUIET` names other folders, and then all of their
//! files are read).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chatls::config::Settings;
use chatls::document::{Document, Language};
use chatls::features::code_lens::code_lenses;
use chatls::features::folding::{FoldingCapabilities, folding_ranges};
use chatls::features::inlay_hints::inlay_hints;
use chatls::features::symbols::document_symbols;
use chatls::registry::{Registry, preset, read_source};
use chatls::text::Text;

/// The maximum number of the developer's files.
const MOST: usize = 3000;

/// Settings of an undeclared document, with known tools and all hints.
fn settings() -> Settings {
    let mut registry = Registry::default();
    registry.add(&read_source(preset("file-tools").unwrap(), "preset:file-tools"));
    let hints = chatls::config::HintSettings { batch: true, result: true, id: true };
    Settings { is_named: false, registry: Arc::new(registry), hints, ..Settings::default() }
}

/// The Markdown files below `folder`, in a fixed random order.
fn files(folder: &Path, most: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if found.len() >= most {
            return;
        }
        let is_markdown =
            path.extension().is_some_and(|extension| extension == "md" || extension == "markdown");
        match path.symlink_metadata() {
            Ok(file) if file.is_dir() => files(&path, most, found),
            Ok(file) if file.is_file() && is_markdown => found.push(path),
            _ => {}
        }
    }
}

/// The results for a document, to examine a failure.
fn said(document: &Document) -> Option<String> {
    let range = 0..document.text().len();
    let problems = document.diagnostics();
    let folds = folding_ranges(document, FoldingCapabilities::default());
    let symbols = document_symbols(document, || true);
    let hints = inlay_hints(document, range);
    let lenses = code_lenses(document);
    let is_quiet = problems.is_empty()
        && folds.iter().next().is_none()
        && symbols.is_empty()
        && hints.is_empty()
        && lenses.is_empty()
        && document.paired_uses().uses.is_empty()
        && !document.is_transcript();
    (!is_quiet).then(|| format!("{} problems {problems:?}, {} symbols", problems.len(), symbols.len()))
}

fn check(paths: &[PathBuf]) {
    let settings = Arc::new(settings());
    let mut loud = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let document = Document::new(Text::new(&text), Language::Markdown, Arc::clone(&settings));
        loud.extend(said(&document).map(|said| format!("{}: {said}", path.display())));
    }
    assert!(loud.is_empty(), "{} of {} are loud:\n{}", loud.len(), paths.len(), loud.join("\n"));
}

#[test]
fn ordinary_texts_have_no_diagnostics() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/quiet"), MOST, &mut paths);
    assert!(paths.len() >= 6, "{paths:?}");
    check(&paths);
    // Control: a transcript has some.
    let text = Text::new("```tool\n{}\n```\n");
    assert!(said(&Document::new(text, Language::Markdown, Arc::new(settings()))).is_some());
}

#[test]
fn installed_documentation_has_no_diagnostics() {
    let mut paths = Vec::new();
    match std::env::var_os("CHATLS_QUIET") {
        Some(folders) => std::env::split_paths(&folders).for_each(|it| files(&it, usize::MAX, &mut paths)),
        None => {
            let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
            let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
            home.into_iter().for_each(|home| files(&home.join("registry/src"), MOST, &mut paths));
        }
    }
    println!("{} files of documentation", paths.len());
    check(&paths);
}
