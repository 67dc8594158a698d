//! The contributions of one configuration file, or of the editor, to the settings of documents.

use std::path::Path;

use super::report::ConfigReport;
use crate::config::Settings;
use crate::config::globs::Globs;
use crate::config::layer::{ConfigLayer, DocumentValues, OverrideLayer};
use crate::forms::form::Form;
use crate::forms::{FormTable, OwnText};

/// The parts of a layer that are relative to its folder.
#[derive(Clone)]
pub(super) struct LayerParts {
    pub include: Option<Globs>,
    pub exclude: Option<Globs>,
    pub overrides: Vec<(Option<Globs>, DocumentValues)>,
}

impl LayerParts {
    pub fn new(layer: &ConfigLayer, base: &Path, report: &mut ConfigReport) -> Self {
        let mut faults = Vec::new();
        let mut globs = |patterns: &Option<Vec<_>>| Some(Globs::new(base, patterns.as_ref()?, &mut faults));
        let include = globs(&layer.include);
        let exclude = globs(&layer.exclude);
        let one = |it: &OverrideLayer| {
            let files = it.files.as_deref().unwrap_or_default();
            (Some(Globs::new(base, files, &mut faults)), DocumentValues::new(it.lint.as_ref(), it.api))
        };
        let overrides = layer.overrides.iter().flatten().map(one).collect();
        report.extend(faults);
        Self { include, exclude, overrides }
    }
}

/// Applies the keys of `layer` over `settings`, except `enable`.
pub(super) fn apply(settings: &mut Settings, layer: &ConfigLayer) {
    layer.change(settings);
    layer.document_values().apply(settings);
    if let Some(forms) = layer.forms.as_ref().filter(|forms| !forms.is_empty()) {
        // A nearer form counts: it also replaces a form of the same name.
        let is_replaced = |form: &&Form| forms.iter().any(|own| own.family == form.family);
        let above = settings.forms.own().iter().filter(|form| !is_replaced(form));
        settings.forms = FormTable::with(forms.iter().chain(above).cloned().collect());
    }
    if let Some(texts) = &layer.texts {
        let is_replaced = |text: &&OwnText| texts.iter().any(|own| own.name == text.name);
        let above = settings.texts.iter().filter(|text| !is_replaced(text));
        settings.texts = texts.iter().chain(above).cloned().collect();
    }
}
