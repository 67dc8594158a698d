//! The sample transcripts have no diagnostics, except for the one that shows them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use chatls::config::Settings;
use chatls::diagnostic::Code;
use chatls::dialect::DIALECTS;
use chatls::document::{Document, Language};
use chatls::features::folding::{FoldingCapabilities, folding_ranges};
use chatls::registry::{Registry, preset, read_source};
use chatls::text::Text;

/// The samples with their names, in order.
pub fn samples() -> Vec<(String, Document)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut samples: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md" && name != "chatls.toml"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let text = Text::new(&text);
            let language = Language::of("", &name, &text);
            let document = Document::new(text, language, Arc::new(Settings::default()));
            (name, document)
        })
        .collect();
    samples.sort_by(|one, other| one.0.cmp(&other.0));
    samples
}

#[test]
fn valid_samples_have_folds_and_no_diagnostics() {
    let mut dialects = BTreeSet::new();
    for (name, document) in samples() {
        dialects.extend(document.tool_uses().iter().map(|found| found.dialect));
        if name.starts_with("broken") {
            continue;
        }
        // One sample shows deprecated forms.
        let problems = document.diagnostics().into_iter().filter(|problem| !problem.code.is_deprecation());
        assert_eq!(problems.collect::<Vec<_>>(), [], "{name}");
        let folds = folding_ranges(&document, FoldingCapabilities::default());
        assert!(folds.iter().any(|fold| fold.label.is_some()), "{name} has no labels");
    }
    assert_eq!(dialects, DIALECTS.iter().map(|dialect| dialect.name).collect());
}

/// The same document with the preset's tools.
fn with_file_tools(mut document: Document) -> Document {
    let mut registry = Registry::default();
    registry.add(&read_source(preset("file-tools").unwrap(), "preset:file-tools"));
    document.set_settings(Arc::new(Settings { registry: Arc::new(registry), ..Settings::default() }));
    document
}

#[test]
fn the_broken_sample_shows_every_code() {
    // These need a configuration, a registry of their own, or a message log.
    let elsewhere = [
        Code::Registry,
        Code::Config,
        Code::NotChecked,
        Code::TextArguments,
        Code::MissingResult,
        Code::BadRole,
        Code::EmptyContent,
        Code::RejectedName,
        Code::BrokenLine,
        Code::LineSeparator,
        Code::LostParent,
        Code::TrainingExample,
    ];
    let (_, broken) = samples().into_iter().find(|(name, _)| name == "broken.chat.md").unwrap();
    let shown: BTreeSet<Code> =
        with_file_tools(broken).diagnostics().iter().map(|problem| problem.code).collect();
    let expected: BTreeSet<Code> = Code::ALL
        .iter()
        .copied()
        .filter(|code| !elsewhere.contains(code) && code.default_severity().is_some())
        .collect();
    let names = |codes: Vec<&Code>| codes.into_iter().map(|code| code.name()).collect::<Vec<_>>();
    let missing = names(expected.difference(&shown).collect());
    assert!(missing.is_empty(), "add an example of {missing:?} to samples/broken.chat.md");
    let silent = names(shown.difference(&expected).collect());
    assert!(silent.is_empty(), "{silent:?} are shown, but listed as shown elsewhere or off by default");
}
