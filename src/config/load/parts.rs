//! The contributions of one configuration file, or of the editor, to the settings of documents.

use std::path::Path;
use std::sync::Arc;

use super::ConfigReport;
use crate::config::Settings;
use crate::config::globs::Globs;
use crate::config::layer::{ConfigLayer, DocumentValues};
use crate::forms::{FormTable, UserForm};

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
        let mut globs = |patterns: &Option<Vec<_>>| {
            // An empty list means the default, which is everything; so does one without valid
            // globs.
            let globs = Globs::new(base, patterns.as_ref()?, &mut faults);
            (!globs.is_empty()).then_some(globs)
        };
        let include = globs(&layer.include);
        let exclude = globs(&layer.exclude);
        let one = |it: &ConfigLayer| {
            let files = it.files.as_deref().unwrap_or_default();
            (Some(Globs::new(base, files, &mut faults)), DocumentValues::of(it))
        };
        let overrides = layer.overrides.iter().map(one).collect();
        report.extend(faults);
        Self { include, exclude, overrides }
    }
}

/// Applies the keys of `layer` over `settings`.
pub(super) fn apply(settings: &mut Settings, layer: &ConfigLayer) {
    fn set<T: Copy>(to: &mut T, from: Option<T>) {
        *to = from.unwrap_or(*to);
    }
    // Any layer can turn it off.
    settings.enabled &= layer.enable.unwrap_or(true);
    set(&mut settings.protocol, layer.protocol);
    set(&mut settings.format.payload, layer.payload);
    set(&mut settings.format.indent, layer.indent);
    set(&mut settings.lenses.batch, layer.lens_batch);
    set(&mut settings.lenses.pending, layer.lens_pending);
    set(&mut settings.lenses.run, layer.lens_run);
    set(&mut settings.hints.batch, layer.hint_batch);
    set(&mut settings.hints.result, layer.hint_result);
    set(&mut settings.hints.id, layer.hint_id);
    if let Some(languages) = &layer.fence_languages {
        settings.fence_languages = languages.iter().map(|language| language.text.clone()).collect();
    }
    let turns = [
        (&mut settings.turns.user, &layer.turn_user),
        (&mut settings.turns.assistant, &layer.turn_assistant),
        (&mut settings.turns.system, &layer.turn_system),
    ];
    for (to, from) in turns {
        if let Some(names) = from {
            *to = names.iter().map(|name| name.text.clone()).collect();
        }
    }
    let mut compare = (*settings.compare).clone();
    let rules = [
        (&mut compare.ignored, &layer.compare.ignored),
        (&mut compare.accepted, &layer.compare.accepted),
        (&mut compare.masks, &layer.compare.masks),
    ];
    for (to, from) in rules {
        if let Some(rules) = from {
            *to = rules.iter().map(|rule| rule.text.clone()).collect();
        }
    }
    settings.compare = Arc::new(compare);
    let mut redact = (*settings.redact).clone();
    let lists = [(&mut redact.patterns, &layer.redact.patterns), (&mut redact.keep, &layer.redact.keep)];
    for (to, from) in lists {
        if let Some(texts) = from {
            *to = texts.iter().map(|text| text.text.clone()).collect();
        }
    }
    settings.redact = Arc::new(redact);
    DocumentValues::of(layer).apply(settings);
    if !layer.forms.is_empty() {
        // The nearer form counts, also if it replaces one of the same name.
        let is_replaced = |form: &&UserForm| layer.forms.iter().any(|own| own.name == form.name);
        let above = settings.forms.users().iter().filter(|form| !is_replaced(form));
        settings.forms = FormTable::with(layer.forms.iter().chain(above).cloned().collect());
    }
}
