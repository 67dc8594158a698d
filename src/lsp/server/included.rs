//! `chatls/included`: the files that belong to chatls although their names do not show it
//! (docs/extensions.md). Clients ask for JSON documents, most of which other programs own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lsp_types::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::evidence::may_be_transcript;
use crate::files::json_beginning;
use crate::lsp::server::{LoopContext, answer_in};
use crate::lsp::state::ServerState;
use crate::lsp::wire::message::Notification;
use crate::lsp::wire::pending::PendingRequest;
use crate::lsp::workspace::settings::{SettingsQuestion, SettingsSource};

/// The method of [`included`].
pub const METHOD: &str = "chatls/included";
/// The notification that the results may have changed.
const CHANGED: &str = "chatls/includedChanged";

/// The params of `chatls/included`.
#[derive(Deserialize)]
pub struct IncludedParams {
    uris: Vec<Value>,
}

/// Reports for each of the given files, which need not be open, whether it belongs to chatls:
/// `null` for a text that is not a URI.
pub fn included(
    state: &mut ServerState,
    context: &LoopContext,
    pending: PendingRequest,
    params: IncludedParams,
) {
    // Changes so far are reported first.
    report_change(state, context);
    state.included.is_known = true;
    let (questions, source) = (questions(state, params.uris), Arc::clone(&context.source));
    answer_in(&context.requests, pending, move |pending| {
        // Files that have changed are read again.
        source.refresh();
        let included = questions.iter().map(|question| Some(is_included(&*source, question.as_ref()?)));
        pending.response(json!({"included": included.collect::<Value>()}))
    });
}

/// Notifies a client with results that they may have changed: once, until it asks again.
pub fn report_change(state: &mut ServerState, context: &LoopContext) {
    let has_changed = std::mem::take(&mut state.included.may_have_changed);
    if has_changed && std::mem::take(&mut state.included.is_known) {
        context.outbox.send(&Notification::new(CHANGED, json!({})));
    }
}

fn questions(state: &ServerState, uris: Vec<Value>) -> Vec<Option<SettingsQuestion>> {
    let question =
        |uri: Value| Some(SettingsQuestion::new(Url::deserialize(uri).ok()?, &state.folders, &state.editor));
    uris.into_iter().map(question).collect()
}

/// True if a file is read when it is found in a folder.
fn is_included(source: &dyn SettingsSource, question: &SettingsQuestion) -> bool {
    let settings = catch_unwind(AssertUnwindSafe(|| source.settings(question).settings)).unwrap_or_default();
    let path = question.uri.to_file_path().unwrap_or_else(|()| question.uri.path().into());
    settings.enabled && may_be_transcript(&path, &settings, json_beginning)
}
