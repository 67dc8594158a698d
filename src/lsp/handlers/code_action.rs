//! `textDocument/codeAction` and `codeAction/resolve`.
//!
//! Edits contain the version of the document that they were made from. Actions on the whole
//! document get their edit when they are chosen, for clients that resolve edits.

use std::ops::Range;

use lsp_types::Command;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[cfg(feature = "run")]
use crate::call::UseStatus;
use crate::diagnostic::{Code, Diagnostic};
use crate::features::chat_forms::{CHAT_FORMS, ChatForm};
use crate::features::code_actions::{ActionFilter, CodeAction, code_actions, fix_actions};
use crate::features::conversion::ConversionScope;
use crate::features::refactorings::{ConversionOffers, OfferedRefactoring, Refactoring, refactorings};
use crate::features::repair::needs_repair;
use crate::fixes::FixableDiagnostic;

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::command_arguments;
use crate::lsp::conversions::command_arguments::{CommandArgument, lsp_command};
use crate::lsp::conversions::diagnostics::WireDiagnosticArray;
use crate::lsp::conversions::edits::{WorkspaceEdit, workspace_edit};
use crate::lsp::handlers::conversation::{self, is_convertible};
#[cfg(feature = "run")]
use crate::lsp::handlers::execute_command::run::has_preset_folder;
use crate::lsp::handlers::{execute_command, repair};
use crate::lsp::request::{ActiveRequest, HandlerResult, ResolveParams};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::DocumentUri;
#[cfg(feature = "run")]
use crate::run::offers::{runnable_at, servers_to_ask_at};

/// The kind of a fix, and of all fixes of one code.
const QUICK_FIX: &str = "quickfix";
/// The kind of all safe fixes, which editors run on saving.
const FIX_ALL: &str = "source.fixAll.chatls";
/// The kind of the repair of a message log.
const REPAIR: &str = "source.repair.chatls";
/// The kinds of refactorings: rewriting, extraction, inlining.
const REWRITE: &str = "refactor.rewrite";
const EXTRACT: &str = "refactor.extract";
const INLINE: &str = "refactor.inline";
/// The kind of running a call.
const RUN: &str = "refactor.run";
/// The kinds of all actions except [`RUN`].
const KINDS: [&str; 6] = [QUICK_FIX, FIX_ALL, REPAIR, REWRITE, EXTRACT, INLINE];

/// LSP 3.17, `CodeActionTriggerKind.Automatic`.
const AUTOMATIC: u32 = 2;

/// The params of `textDocument/codeAction`, as far as they are used. Diagnostics are kept in the
/// client's form.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionParams {
    range: lsp_types::Range,
    #[serde(default)]
    context: CodeActionContext,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CodeActionContext {
    diagnostics: Vec<Value>,
    only: Option<Vec<String>>,
    trigger_kind: Option<u32>,
}

impl CodeActionContext {
    /// True if the user asked for actions: editors with an automatic light bulb should not show it
    /// at every call.
    fn is_invoked(&self) -> bool {
        self.trigger_kind != Some(AUTOMATIC) || self.only.is_some()
    }

    /// True if actions of `kind` are wanted that resolve no diagnostic.
    fn offers(&self, kind: &str, snapshot: &Snapshot) -> bool {
        self.is_invoked() && self.accepts_kind(kind) && snapshot.version.is_some()
    }

    fn accepts_kind(&self, kind: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|it| is_kind_or_subkind(it, kind)))
    }
}

/// The data of an action that `codeAction/resolve` needs.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionData {
    uri: DocumentUri,
    /// True if its edit is not made yet; the code limits the fixes.
    fix_all: bool,
    code: Option<String>,
    /// Of a refactoring: the equivalent command with its argument.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<(String, CommandArgument)>,
}

impl CodeActionData {
    /// The data of an action with its edit: some clients resolve every action.
    fn of(snapshot: &Snapshot) -> Self {
        Self { uri: snapshot.uri.clone(), fix_all: false, code: None, command: None }
    }
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct WireAction {
    title: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_preferred: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<WorkspaceEdit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Command>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<CodeActionData>,
}

impl WireAction {
    /// An action that is a command.
    fn command(
        title: String,
        kind: &'static str,
        (command, argument): (&str, &CommandArgument),
        snapshot: &Snapshot,
    ) -> Self {
        let command = Some(lsp_command(title.clone(), command, argument));
        let data = snapshot.client.actions.resolves_edits.then(|| CodeActionData::of(snapshot));
        Self { title, kind, command, data, ..Self::default() }
    }
}

/// Handles `textDocument/codeAction`.
pub fn code_action(params: CodeActionParams, request: &ActiveRequest) -> HandlerResult {
    let CodeActionParams { range, context } = params;
    let range = request.bytes(range);
    if !request.client.actions.literals {
        return request.respond(Vec::<WireAction>::new());
    }
    let fixes = fixes(request, &range, &context);
    let offered = offered(request, &range, &context);
    let of_fixes = fixes.iter().filter_map(|action| wire_action(action, request, &context.diagnostics));
    let of_offered = offered.into_iter().filter_map(|offered| wire_refactoring(offered, request));
    let actions = of_fixes.chain(of_offered).chain(repair_action(request, &context));
    let actions = actions.chain(conversation_actions(request, &context));
    #[cfg(feature = "run")]
    let actions =
        actions.chain(run_action(request, &range, &context)).chain(pull_actions(request, &range, &context));
    request.respond(actions.collect::<Vec<_>>())
}

fn fixes(snapshot: &Snapshot, range: &Range<usize>, context: &CodeActionContext) -> Vec<CodeAction> {
    let wanted =
        ActionFilter { fixes: context.accepts_kind(QUICK_FIX), fix_all: context.accepts_kind(FIX_ALL) };
    let mut fixes = if wanted.fixes { fix_actions(file_fixes(snapshot, range)) } else { Vec::new() };
    if snapshot.version.is_some() {
        fixes.extend(code_actions(&snapshot.document, range.clone(), wanted));
    }
    fixes
}

fn offered(
    snapshot: &Snapshot,
    range: &Range<usize>,
    context: &CodeActionContext,
) -> Vec<OfferedRefactoring> {
    if ![REWRITE, EXTRACT, INLINE].into_iter().any(|kind| context.offers(kind, snapshot)) {
        return Vec::new();
    }
    let conversions = if snapshot.client.actions.show_message_request {
        ConversionOffers::Chosen
    } else {
        ConversionOffers::Listed
    };
    let mut offered = refactorings(&snapshot.document, range, conversions);
    offered.retain(|offered| context.accepts_kind(kind_of(&offered.refactoring)));
    offered
}

/// The kinds of the actions for `client`.
pub fn kinds(client: &SessionCapabilities) -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().chain(client.runs().then_some(RUN))
}

/// Handles `codeAction/resolve`: the same action, with its edit.
pub fn resolve(params: ResolveParams<CodeActionData>, request: &ActiveRequest) -> HandlerResult {
    let ResolveParams { item: mut action, data } = params;
    if data.fix_all {
        let edits = request.document.fix_all(data.code.as_deref().and_then(Code::from_name));
        action["edit"] = json!(workspace_edit(request, edits));
    }
    if let Some((command, arguments)) = &data.command {
        let edits = execute_command::edits(command, arguments, request)?;
        action["edit"] = json!(workspace_edit(request, edits));
    }
    request.respond(action)
}

/// The fixes of the document as a configuration file, while it equals the file on disk, whose
/// diagnostics are shown.
fn file_fixes(snapshot: &Snapshot, range: &Range<usize>) -> Vec<FixableDiagnostic> {
    let file = snapshot.file.as_ref().filter(|file| file.text == *snapshot.text());
    file.map(|file| file.fixes_in(range)).unwrap_or_default()
}

/// True if `kind` is `asked` or a subkind of it: kinds are words joined by dots.
fn is_kind_or_subkind(asked: &str, kind: &str) -> bool {
    kind.strip_prefix(asked).is_some_and(|rest| asked.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

/// `None` for an action without effect.
fn wire_action(action: &CodeAction, snapshot: &Snapshot, sent: &[Value]) -> Option<WireAction> {
    let client = snapshot.client.actions;
    let (kind, fix_all, code) = match action {
        CodeAction::Fix { .. } | CodeAction::Suppress { .. } => (QUICK_FIX, false, None),
        CodeAction::FixAllOf(code) => (QUICK_FIX, true, Some(code.name().to_owned())),
        CodeAction::FixAll => (FIX_ALL, true, None),
    };
    let edit = match fix_all && client.resolves_edits {
        true => None,
        false => {
            let edits = action.edits(&snapshot.document);
            Some(edits).filter(|edits| !edits.is_empty()).map(|edits| workspace_edit(snapshot, edits))
        }
    };
    if edit.is_none() && !client.resolves_edits {
        return None;
    }
    let (diagnostics, is_preferred) = match action {
        CodeAction::Fix { problem, fix } => (Some(diagnostics(problem, snapshot, sent)), fix.is_preferred),
        CodeAction::Suppress { problem, .. } => (Some(diagnostics(problem, snapshot, sent)), false),
        CodeAction::FixAllOf(_) | CodeAction::FixAll => (None, false),
    };
    let data =
        client.resolves_edits.then(|| CodeActionData { fix_all, code, ..CodeActionData::of(snapshot) });
    Some(WireAction {
        title: action.title(),
        kind,
        diagnostics,
        is_preferred,
        edit,
        data,
        ..WireAction::default()
    })
}

fn kind_of(what: &Refactoring) -> &'static str {
    match what {
        Refactoring::Wrap(..) | Refactoring::Extract(..) => EXTRACT,
        Refactoring::Merge(..) => INLINE,
        _ => REWRITE,
    }
}

/// Actions on a whole document are commands, because a conversion of many calls confirms losses
/// first. Actions that ask the user or create a file are commands, too. `None` for an action
/// without effect.
fn wire_refactoring(offered: OfferedRefactoring, snapshot: &Snapshot) -> Option<WireAction> {
    let OfferedRefactoring { refactoring: what, title } = offered;
    let (kind, (command, argument)) = (kind_of(&what), command_arguments::write(&what, snapshot));
    if matches!(what, Refactoring::Extract(..)) && !snapshot.client.creates_files {
        return None;
    }
    let is_command = matches!(
        what,
        Refactoring::Convert { scope: ConversionScope::Document, .. }
            | Refactoring::ChooseConversion(..)
            | Refactoring::Extract(..)
    );
    if is_command {
        return Some(WireAction::command(title, kind, (command, &argument), snapshot));
    }
    let mut action = WireAction { title, kind, ..WireAction::default() };
    if snapshot.client.actions.resolves_edits {
        let command = Some((command.to_owned(), argument));
        action.data = Some(CodeActionData { command, ..CodeActionData::of(snapshot) });
    } else {
        action.edit = Some(workspace_edit(snapshot, what.edits(&snapshot.document).ok()?));
    }
    Some(action)
}

/// The repair of a message log, if it needs one.
fn repair_action(snapshot: &Snapshot, context: &CodeActionContext) -> Option<WireAction> {
    if !context.offers(REPAIR, snapshot) || !needs_repair(&snapshot.document) {
        return None;
    }
    let command = (command_arguments::REPAIR, &CommandArgument::of(snapshot));
    Some(WireAction::command(repair::TITLE.to_owned(), REPAIR, command, snapshot))
}

/// The run of the call at the range, if the configuration can run it.
#[cfg(feature = "run")]
fn run_action(snapshot: &Snapshot, range: &Range<usize>, context: &CodeActionContext) -> Option<WireAction> {
    if !context.offers(RUN, snapshot) || !snapshot.client.runs() {
        return None;
    }
    let runnable = runnable_at(&snapshot.document, range.start, has_preset_folder(snapshot))?;
    let (title, command) = match runnable.status {
        UseStatus::Pending => ("Run this call", command_arguments::RUN),
        UseStatus::Done | UseStatus::Failed => ("Run this call again", command_arguments::RUN_AGAIN),
    };
    let argument = CommandArgument {
        version: None,
        calls: Some(vec![runnable.fingerprint]),
        ..CommandArgument::at(snapshot, range.start)
    };
    Some(WireAction::command(title.to_owned(), RUN, (command, &argument), snapshot))
}

/// The questions to servers that may have the unknown tool of the call at the range.
#[cfg(feature = "run")]
fn pull_actions(snapshot: &Snapshot, range: &Range<usize>, context: &CodeActionContext) -> Vec<WireAction> {
    let is_reported = context.diagnostics.iter().any(|it| it["code"] == Code::UnknownTool.name());
    let is_wanted = (context.is_invoked() || is_reported) && context.accepts_kind(QUICK_FIX);
    if !is_wanted || snapshot.version.is_none() || !snapshot.client.runs() {
        return Vec::new();
    }
    let action = |server: String| {
        let title = format!("Ask `{server}` for its tools");
        let argument = CommandArgument::for_server(snapshot, server);
        WireAction::command(title, QUICK_FIX, (command_arguments::PULL_TOOLS, &argument), snapshot)
    };
    servers_to_ask_at(&snapshot.document, range.start).into_iter().map(action).collect()
}

/// The conversions of the messages of a JSON document: one action that lets the user choose the
/// form, or one for each form if the client cannot ask.
fn conversation_actions(snapshot: &Snapshot, context: &CodeActionContext) -> Vec<WireAction> {
    if !context.offers(REWRITE, snapshot) || !is_convertible(&snapshot.document) {
        return Vec::new();
    }
    let action = |title: String, to: Option<&str>| {
        let argument = CommandArgument { to: to.map(str::to_owned), ..CommandArgument::of(snapshot) };
        WireAction::command(title, REWRITE, (command_arguments::CONVERT_CONVERSATION, &argument), snapshot)
    };
    match snapshot.client.actions.show_message_request {
        true => vec![action(conversation::TITLE.to_owned(), None)],
        false => {
            let of_form = |form: &ChatForm| action(conversation::title_of(form), Some(form.name));
            CHAT_FORMS.iter().map(of_form).collect()
        }
    }
}

/// The diagnostics that an action fixes: as sent by the client, or as published.
fn diagnostics(problem: &Diagnostic, snapshot: &Snapshot, sent: &[Value]) -> Value {
    let range = snapshot.range(&problem.range);
    let is_same = |it: &&Value| {
        it["source"] == "chatls"
            && it["code"] == problem.code.name()
            && it["message"] == problem.message
            && lsp_types::Range::deserialize(&it["range"]).is_ok_and(|other| other == range)
    };
    match sent.iter().find(is_same) {
        Some(diagnostic) => json!([diagnostic]),
        None => {
            let parts = vec![(snapshot.text(), std::slice::from_ref(problem).into())];
            json!(WireDiagnosticArray { parts, view: snapshot.view() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_asked_for_by_their_beginnings() {
        let check = |asked: &str, expected: [bool; 3]| {
            assert_eq!(
                [QUICK_FIX, FIX_ALL, REWRITE].map(|kind| is_kind_or_subkind(asked, kind)),
                expected,
                "{asked}"
            );
        };
        check("", [true, true, true]);
        check("quickfix", [true, false, false]);
        check("source", [false, true, false]);
        check("source.fixAll", [false, true, false]);
        check("source.fixAll.chatls", [false, true, false]);
        check("source.fixAll.eslint", [false, false, false]);
        check("source.fix", [false, false, false]);
        check("quick", [false, false, false]);
        check("refactor", [false, false, true]);
        check("refactor.rewrite", [false, false, true]);
    }
}
