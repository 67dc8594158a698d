//! Rules on the inputs of well-known tools: `search-replace`.

use super::search_replace;
use crate::call::{Call, CallData};
use crate::diagnostic::{CallDiagnostic, Code};
use crate::json::JsonKind;

/// True if [`check`] reads a string in the input of calls of the tool `name`, as a whole.
pub fn reads_strings_of(name: &str) -> bool {
    name == "edit_file"
}

/// Checks the search block of an `edit_file` call.
pub fn check(call: &Call<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    let is_edit = call.name.as_ref().is_some_and(|name| reads_strings_of(&name.text));
    let is_streaming = call.state.as_ref().is_some_and(|state| state.text == "input-streaming");
    let (true, false, Some(CallData::Json(input)), Some(payload)) =
        (is_edit, is_streaming, &call.input, call.input_payload())
    else {
        return;
    };
    let block = input.get("searchReplaceBlock").filter(|block| {
        let is_string = matches!(block.kind(), JsonKind::String { .. });
        is_string && block.is_closed() && payload.has_no_error_in(block.span())
    });
    let Some((block, text)) = block.and_then(|block| Some((block, block.as_str()?))) else { return };
    if let Err(missing) = search_replace::blocks(&text) {
        let place = call.input_span(block.span());
        diagnostics.push(CallDiagnostic::new(Code::SearchReplace, place, search_replace::message(missing)));
    }
}
