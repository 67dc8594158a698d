//! The params of `initialize`, reduced to what is used, each part read by itself.
//!
//! lsp-types reads all of them or none: one value that it does not know, of a newer LSP or of a client's own, would
//! refuse the whole session. What does not fit is left out and logged.

use lsp_types::Url;
use serde_json::{Map, Value, json};

/// Whether a value is of the kind that is read.
type ValueCheck = fn(&Value) -> bool;

/// The single values that are read, by their place.
const VALUES: [(&str, ValueCheck); 25] = [
    ("/processId", is_u32),
    ("/clientInfo/name", Value::is_string),
    ("/rootUri", is_uri),
    ("/initializationOptions", |_| true),
    ("/capabilities/textDocument/foldingRange/rangeLimit", is_u32),
    ("/capabilities/textDocument/foldingRange/foldingRange/collapsedText", Value::is_boolean),
    ("/capabilities/textDocument/definition/linkSupport", Value::is_boolean),
    ("/capabilities/textDocument/declaration/linkSupport", Value::is_boolean),
    ("/capabilities/textDocument/implementation/linkSupport", Value::is_boolean),
    ("/capabilities/textDocument/rename/prepareSupport", Value::is_boolean),
    ("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport", Value::is_boolean),
    ("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration", Value::is_boolean),
    ("/capabilities/workspace/didChangeConfiguration/dynamicRegistration", Value::is_boolean),
    ("/capabilities/workspace/configuration", Value::is_boolean),
    ("/capabilities/workspace/diagnostic/refreshSupport", Value::is_boolean),
    ("/capabilities/textDocument/publishDiagnostics/relatedInformation", Value::is_boolean),
    ("/capabilities/textDocument/publishDiagnostics/codeDescriptionSupport", Value::is_boolean),
    ("/capabilities/textDocument/codeAction/dataSupport", Value::is_boolean),
    ("/capabilities/textDocument/completion/completionItem/snippetSupport", Value::is_boolean),
    (
        "/capabilities/textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport",
        Value::is_boolean,
    ),
    ("/capabilities/workspace/applyEdit", Value::is_boolean),
    ("/capabilities/workspace/workspaceEdit/documentChanges", Value::is_boolean),
    ("/capabilities/workspace/semanticTokens/refreshSupport", Value::is_boolean),
    ("/capabilities/workspace/inlayHint/refreshSupport", Value::is_boolean),
    // Of the strings only one is looked for; others may be there.
    ("/capabilities/textDocument/foldingRange/foldingRangeKind/valueSet", Value::is_array),
];

/// The lists that are read item by item.
const LISTS: [(&str, ValueCheck); 12] = [
    ("/capabilities/general/positionEncodings", Value::is_string),
    ("/capabilities/textDocument/publishDiagnostics/tagSupport/valueSet", is_u32),
    (
        "/capabilities/textDocument/codeAction/codeActionLiteralSupport/codeActionKind/valueSet",
        Value::is_string,
    ),
    ("/capabilities/textDocument/codeAction/resolveSupport/properties", Value::is_string),
    ("/capabilities/textDocument/completion/completionItem/documentationFormat", is_markup),
    ("/capabilities/textDocument/completion/completionItem/insertTextModeSupport/valueSet", is_u32),
    ("/capabilities/textDocument/completion/completionItem/tagSupport/valueSet", is_u32),
    ("/capabilities/textDocument/signatureHelp/signatureInformation/documentationFormat", is_markup),
    ("/capabilities/textDocument/hover/contentFormat", is_markup),
    ("/capabilities/textDocument/inlayHint/resolveSupport/properties", Value::is_string),
    ("/capabilities/workspace/workspaceEdit/resourceOperations", is_operation),
    ("/workspaceFolders", is_folder),
];

/// The objects of which only that they are there is read.
const OBJECTS: [&str; 2] = ["/capabilities/textDocument/diagnostic", "/capabilities/window/showMessage"];

/// Where clients say something, and where lsp-types looks for it: it has one name wrong, and knows nothing of LSP 3.18,
/// where clients that pull diagnostics say under `diagnostic` what they take of one.
const ELSEWHERE: [(&str, &str); 4] = [
    (
        "/capabilities/workspace/diagnostics/refreshSupport",
        "/capabilities/workspace/diagnostic/refreshSupport",
    ),
    (
        "/capabilities/textDocument/diagnostic/relatedInformation",
        "/capabilities/textDocument/publishDiagnostics/relatedInformation",
    ),
    (
        "/capabilities/textDocument/diagnostic/codeDescriptionSupport",
        "/capabilities/textDocument/publishDiagnostics/codeDescriptionSupport",
    ),
    (
        "/capabilities/textDocument/diagnostic/tagSupport/valueSet",
        "/capabilities/textDocument/publishDiagnostics/tagSupport/valueSet",
    ),
];

/// What is used of the params of `initialize`, in a form that lsp-types reads. What is no object is left to it.
pub fn initialize_params(params: &Value) -> Value {
    if !params.is_object() {
        return params.clone();
    }
    let mut reduced = json!({"processId": null, "capabilities": {}});
    for (place, fits) in VALUES {
        match find(params, place) {
            Some(value) if fits(value) => set(&mut reduced, place, value.clone()),
            Some(_) => leave_out(place),
            None => {}
        }
    }
    for (place, fits) in LISTS {
        match find(params, place) {
            Some(Value::Array(items)) => {
                let (kept, others): (Vec<_>, Vec<_>) = items.iter().cloned().partition(fits);
                others.iter().for_each(|_| leave_out(place));
                set(&mut reduced, place, kept.into());
            }
            Some(_) => leave_out(place),
            None => {}
        }
    }
    for place in OBJECTS {
        if params.pointer(place).is_some_and(Value::is_object) {
            set(&mut reduced, place, json!({}));
        }
    }
    reduce_kinds(&mut reduced);
    if let Some(tokens) = semantic_tokens(params) {
        set(&mut reduced, SEMANTIC_TOKENS, tokens);
    }
    if let Some(Value::Array(folders)) = reduced.pointer_mut("/workspaceFolders") {
        folders.iter_mut().for_each(|folder| *folder = json!({"uri": folder["uri"], "name": ""}));
    }
    reduced
}

/// What the client says for `place`.
fn find<'a>(params: &'a Value, place: &str) -> Option<&'a Value> {
    let elsewhere = ELSEWHERE.iter().filter(|(_, to)| *to == place).map(|(from, _)| *from);
    std::iter::once(place)
        .chain(elsewhere)
        .filter_map(|place| params.pointer(place))
        .find(|value| !value.is_null())
}

/// Keeps only the kinds of folds that lsp-types knows: "value set" lists are open.
fn reduce_kinds(reduced: &mut Value) {
    let place = "/capabilities/textDocument/foldingRange/foldingRangeKind/valueSet";
    if let Some(Value::Array(kinds)) = reduced.pointer_mut(place) {
        kinds.retain(|kind| matches!(kind.as_str(), Some("comment" | "imports" | "region")));
    }
}

/// Where clients say what they can do with semantic tokens.
const SEMANTIC_TOKENS: &str = "/capabilities/textDocument/semanticTokens";

/// What is said of semantic tokens: lsp-types wants all of it, and the range as a boolean.
fn semantic_tokens(params: &Value) -> Option<Value> {
    let said = params.pointer(SEMANTIC_TOKENS)?;
    let strings =
        |key: &str| said[key].as_array().map(|all| all.iter().filter(|it| it.is_string()).collect());
    let types: Vec<&Value> = strings("tokenTypes")?;
    let modifiers: Vec<&Value> = strings("tokenModifiers").unwrap_or_default();
    let deltas = said["requests"]["full"]["delta"] == true;
    Some(json!({
        "requests": {"full": {"delta": deltas}},
        "tokenTypes": types,
        "tokenModifiers": modifiers,
        "formats": [],
    }))
}

fn leave_out(place: &str) {
    tracing::warn!(place, "`initialize`: a value that cannot be read is left out");
}

fn set(object: &mut Value, place: &str, value: Value) {
    let mut at = object;
    for key in place.split('/').skip(1) {
        let Value::Object(members) = at else { return };
        at = members.entry(key).or_insert_with(|| Value::Object(Map::new()));
    }
    *at = value;
}

fn is_u32(value: &Value) -> bool {
    value.as_u64().is_some_and(|number| u32::try_from(number).is_ok())
}

/// The kinds of text that lsp-types knows.
fn is_markup(value: &Value) -> bool {
    matches!(value.as_str(), Some("markdown" | "plaintext"))
}

fn is_uri(value: &Value) -> bool {
    value.as_str().is_some_and(|uri| Url::parse(uri).is_ok())
}

fn is_operation(value: &Value) -> bool {
    matches!(value.as_str(), Some("create" | "rename" | "delete"))
}

fn is_folder(value: &Value) -> bool {
    value.get("uri").is_some_and(is_uri)
}

#[cfg(test)]
mod tests {
    use lsp_types::InitializeParams;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "`json!` makes values")]
    fn check(params: Value, expected: Value) {
        let mut all = json!({"processId": null, "capabilities": {}});
        all.as_object_mut().expect("an object").extend(expected.as_object().cloned().unwrap_or_default());
        let reduced = initialize_params(&params);
        assert_eq!(reduced, all, "{params}");
        serde_json::from_value::<InitializeParams>(reduced).expect("a form that lsp-types reads");
    }

    fn folding(options: Value) -> Value {
        json!({"capabilities": {"textDocument": {"foldingRange": options}}})
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        for params in [
            json!({}),
            json!({"processId": -1}),
            json!({"processId": 1.5, "capabilities": null}),
            json!({"rootUri": "", "rootPath": 7, "trace": "compact", "clientInfo": "x", "locale": 7}),
            json!({"rootUri": "/work", "workspaceFolders": {}}),
            json!({"capabilities": {"general": null, "workspace": 7, "textDocument": {"foldingRange": []}}}),
            json!({"capabilities": {"textDocument": {"semanticTokens": {"formats": ["absolute"]}}}}),
            json!({"capabilities": {"workspace": {"didChangeConfiguration": {"dynamicRegistration": 1}}}}),
            folding(json!({"rangeLimit": -1, "lineFoldingOnly": "yes"})),
            folding(
                json!({"foldingRangeKind": {"valueSet": "region"}, "foldingRange": {"collapsedText": 1}}),
            ),
        ] {
            check(params, json!({}));
        }
    }

    #[test]
    fn what_is_said_elsewhere_is_found() {
        let refresh = json!({"refreshSupport": true});
        check(
            json!({"capabilities": {"workspace": {"diagnostics": refresh}}}),
            json!({"capabilities": {"workspace": {"diagnostic": refresh}}}),
        );
        let taken = json!({"relatedInformation": true, "tagSupport": {"valueSet": [1, 2]}});
        check(
            json!({"capabilities": {"textDocument": {"diagnostic": taken}}}),
            json!({"capabilities": {"textDocument": {"diagnostic": {}, "publishDiagnostics": taken}}}),
        );
        check(
            json!({"capabilities": {"textDocument": {"diagnostic": {"dynamicRegistration": 7}}}}),
            json!({"capabilities": {"textDocument": {"diagnostic": {}}}}),
        );
    }

    #[test]
    fn what_fits_is_kept_beside_what_does_not() {
        check(json!({"processId": 7, "trace": "compact"}), json!({"processId": 7}));
        let folders = json!([{"uri": "/work", "name": "w"}, {"uri": "file:///w"}, {"name": "w"}, 7]);
        let folder = json!({"uri": "file:///w", "name": ""});
        check(json!({"workspaceFolders": folders}), json!({"workspaceFolders": [folder]}));
        let options = json!({"initializationOptions": {"lint": {}}, "rootUri": "file:///w"});
        check(options.clone(), options);
        check(
            folding(json!({"foldingRangeKind": {"valueSet": ["function", "region", 7]}, "rangeLimit": 5})),
            folding(json!({"foldingRangeKind": {"valueSet": ["region"]}, "rangeLimit": 5})),
        );
        check(
            json!({"capabilities": {"general": {"positionEncodings": ["x", 7, "utf-8"]}, "window": 7}}),
            json!({"capabilities": {"general": {"positionEncodings": ["x", "utf-8"]}}}),
        );
        let operations = |all: Value| json!({"capabilities": {"workspace": {"workspaceEdit": {"resourceOperations": all}}}});
        check(operations(json!(["copy", "create"])), operations(json!(["create"])));
        check(
            json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["html", "markdown"]}}}}),
            json!({"capabilities": {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}}),
        );
        let tokens = |said: Value| json!({"capabilities": {"textDocument": {"semanticTokens": said}}});
        check(
            tokens(json!({"requests": {"range": {}, "full": true}, "tokenTypes": ["string", 7]})),
            tokens(json!({
                "requests": {"full": {"delta": false}},
                "tokenTypes": ["string"],
                "tokenModifiers": [],
                "formats": [],
            })),
        );
        let dynamic = json!({"dynamicRegistration": true});
        let workspace = json!({"didChangeWatchedFiles": dynamic, "didChangeConfiguration": dynamic});
        check(
            json!({"capabilities": {"workspace": workspace}}),
            json!({"capabilities": {"workspace": workspace}}),
        );
    }
}
