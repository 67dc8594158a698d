//! Reads the params of `initialize`.
//!
//! Each value is read on its own: lsp-types accepts all of them or none, so a value of a newer LSP
//! or of a client's own would fail the session. Values of another type are logged and count as
//! absent.

use lsp_types::{SemanticTokenModifier, Url};
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use crate::features::folding::FoldingCapabilities;
use crate::features::semantic_tokens::SemanticTokenKind;
use crate::lsp::client_capabilities::{
    CodeActionCapabilities, CompletionCapabilities, DiagnosticCapabilities, SemanticTokensCapabilities,
    SessionCapabilities, encoding_kind, lsp_types_of,
};
use crate::text::Encoding;

/// The params of `initialize`, as far as they are used.
#[derive(Debug, Default)]
pub struct SessionParams {
    /// The capabilities of the client.
    pub capabilities: SessionCapabilities,
    /// The workspace's folders; `rootUri` for clients that know only one.
    pub folders: Vec<Url>,
    /// `initializationOptions`
    pub initialization_options: Option<Value>,
    /// `processId`
    pub process_id: Option<u32>,
}

impl SessionParams {
    /// The params in the params of the request.
    ///
    /// # Errors
    ///
    /// `InvalidParams` if they are no object.
    pub fn of_request(params: Option<&Value>) -> Result<Self, Error> {
        let object = params.filter(|params| params.is_object());
        object
            .map(Self::read)
            .ok_or_else(|| Error::invalid_params("the params of `initialize` must be an object"))
    }

    fn read(params: &Value) -> Self {
        let read = InitializeReader(params);
        let folders = read.items("/workspaceFolders").map(|folders| {
            let uri = |folder: &Value| url(&folder["uri"]).or_else(|| skip("/workspaceFolders"));
            folders.iter().filter_map(uri).collect()
        });
        let root = || read.value("/rootUri", url).into_iter().collect();
        Self {
            capabilities: SessionCapabilities::read(&read),
            folders: folders.unwrap_or_else(root),
            initialization_options: params.get("initializationOptions").cloned(),
            process_id: read.number("/processId"),
        }
    }
}

impl SessionCapabilities {
    /// `lineFoldingOnly` is not used: all folds are whole lines.
    fn read(read: &InitializeReader) -> Self {
        let name = read.string("/clientInfo/name").unwrap_or_default();
        let range_limit = read.number("/capabilities/textDocument/foldingRange/rangeLimit");
        let kinds = read.strings("/capabilities/textDocument/foldingRange/foldingRangeKind/valueSet");
        let versioned_edits = read.flag("/capabilities/workspace/workspaceEdit/documentChanges");
        let formats = read.strings("/capabilities/textDocument/hover/contentFormat");
        let signature =
            |member: &str| format!("/capabilities/textDocument/signatureHelp/signatureInformation/{member}");
        Self {
            encoding: read.encoding(),
            folding: FoldingCapabilities {
                range_limit: range_limit.and_then(|limit| usize::try_from(limit).ok()),
                omits_labels: !read
                    .flag("/capabilities/textDocument/foldingRange/foldingRange/collapsedText"),
            },
            region: kinds.is_none_or(|kinds| kinds.contains(&"region")),
            symbol_tree: read
                .flag("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            definition_links: read.flag("/capabilities/textDocument/definition/linkSupport"),
            declaration_links: read.flag("/capabilities/textDocument/declaration/linkSupport"),
            implementation_links: read.flag("/capabilities/textDocument/implementation/linkSupport"),
            prepares_rename: read.flag("/capabilities/textDocument/rename/prepareSupport"),
            diagnostics: DiagnosticCapabilities::read(read, name),
            workspace_configuration: read.flag("/capabilities/workspace/configuration"),
            actions: CodeActionCapabilities::read(read, name, versioned_edits),
            completion: CompletionCapabilities::read(read),
            label_offsets: read.flag(&signature("parameterInformation/labelOffsetSupport")),
            signature_markdown: read.contains(&signature("documentationFormat"), MARKDOWN),
            applies_edits: read.flag("/capabilities/workspace/applyEdit"),
            creates_files: read
                .contains("/capabilities/workspace/workspaceEdit/resourceOperations", "create")
                && versioned_edits,
            // The first known format is the preferred one.
            markdown: formats.and_then(|it| it.into_iter().find(|it| FORMATS.contains(it))) == Some(MARKDOWN),
            refreshes_hints: read.flag("/capabilities/workspace/inlayHint/refreshSupport"),
            resolves_hints: read
                .contains("/capabilities/textDocument/inlayHint/resolveSupport/properties", "tooltip"),
            tokens: SemanticTokensCapabilities::read(read),
            progress: read.flag("/capabilities/window/workDoneProgress"),
            is_restricted: read.flag("/initializationOptions/restricted"),
            command_links: read.flag("/initializationOptions/commandLinks"),
            watches_files: read.flag("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            registers_did_change_configuration: read
                .flag("/capabilities/workspace/didChangeConfiguration/dynamicRegistration"),
        }
    }
}

impl DiagnosticCapabilities {
    fn read(read: &InitializeReader, name: &str) -> Self {
        // LSP 3.18 repeats them for clients that pull.
        let either = |member: &str| {
            ["publishDiagnostics", "diagnostic"]
                .iter()
                .any(|owner| read.flag(&format!("/capabilities/textDocument/{owner}/{member}")))
        };
        let has_tag = |tag| {
            ["publishDiagnostics", "diagnostic"].iter().any(|owner| {
                read.contains_number(&format!("/capabilities/textDocument/{owner}/tagSupport/valueSet"), tag)
            })
        };
        let pulls = read.has("/capabilities/textDocument/diagnostic");
        Self {
            pulls,
            // Neovim pulls the workspace only on request. Up to 0.12.4 a refresh would make it pull
            // the workspace instead of the open documents, and ignore those in the response.
            pulls_workspace: pulls && name != "Neovim",
            refreshes: read.flag("/capabilities/workspace/diagnostics/refreshSupport")
                || read.flag("/capabilities/workspace/diagnostic/refreshSupport"),
            is_out_of_order: name.starts_with("Zed"),
            related_information: either("relatedInformation"),
            unnecessary: has_tag(DIAGNOSTIC_TAG_UNNECESSARY),
            deprecated: has_tag(DIAGNOSTIC_TAG_DEPRECATED),
            pages: either("codeDescriptionSupport"),
        }
    }
}

impl CodeActionCapabilities {
    fn read(read: &InitializeReader, name: &str, versioned_edits: bool) -> Self {
        Self {
            literals: read.has("/capabilities/textDocument/codeAction/codeActionLiteralSupport"),
            // `codeAction/resolve` identifies an action by its data.
            resolves_edits: read
                .contains("/capabilities/textDocument/codeAction/resolveSupport/properties", "edit")
                && read.flag("/capabilities/textDocument/codeAction/dataSupport"),
            show_message_request: read.has("/capabilities/window/showMessage"),
            versioned_edits,
            // Neovim 0.12 confirms edits that its user has rejected.
            annotated_edits: versioned_edits
                && name != "Neovim"
                && read.has("/capabilities/workspace/workspaceEdit/changeAnnotationSupport"),
        }
    }
}

impl CompletionCapabilities {
    fn read(read: &InitializeReader) -> Self {
        let item = |member: &str| format!("/capabilities/textDocument/completion/completionItem/{member}");
        Self {
            snippets: read.flag(&item("snippetSupport")),
            as_is: read.contains_number(&item("insertTextModeSupport/valueSet"), INSERT_TEXT_MODE_AS_IS),
            tags: read.contains_number(&item("tagSupport/valueSet"), COMPLETION_TAG_DEPRECATED),
            markdown: read.contains(&item("documentationFormat"), MARKDOWN),
        }
    }
}

impl SemanticTokensCapabilities {
    fn read(read: &InitializeReader) -> Self {
        let Some(types) = read.strings("/capabilities/textDocument/semanticTokens/tokenTypes") else {
            return Self::default();
        };
        let name =
            |kind: SemanticTokenKind| lsp_types_of(kind).iter().copied().find(|name| types.contains(name));
        // `full` may be a boolean.
        let delta = "/capabilities/textDocument/semanticTokens/requests/full/delta";
        Self {
            is_supported: true,
            refreshes: read.flag("/capabilities/workspace/semanticTokens/refreshSupport"),
            deltas: read.flag(delta),
            type_names: SemanticTokenKind::ALL.map(name),
            deprecated: read.contains(
                "/capabilities/textDocument/semanticTokens/tokenModifiers",
                SemanticTokenModifier::DEPRECATED.as_str(),
            ),
        }
    }
}

/// LSP 3.17, `MarkupKind`.
const MARKDOWN: &str = "markdown";
const FORMATS: [&str; 2] = [MARKDOWN, "plaintext"];
/// LSP 3.17, `DiagnosticTag`.
const DIAGNOSTIC_TAG_UNNECESSARY: u64 = 1;
const DIAGNOSTIC_TAG_DEPRECATED: u64 = 2;
/// LSP 3.17, `CompletionItemTag.Deprecated`.
const COMPLETION_TAG_DEPRECATED: u64 = 1;
/// LSP 3.17, `InsertTextMode.asIs`.
const INSERT_TEXT_MODE_AS_IS: u64 = 1;

/// Reads values of the params by JSON Pointer (RFC 6901). `null` counts as absent.
struct InitializeReader<'a>(&'a Value);

impl<'a> InitializeReader<'a> {
    /// The value at `pointer`, if `read` accepts it; any other value is logged.
    fn value<T>(&self, pointer: &str, read: impl FnOnce(&'a Value) -> Option<T>) -> Option<T> {
        let value = self.0.pointer(pointer).filter(|value| !value.is_null())?;
        read(value).or_else(|| skip(pointer))
    }

    fn has(&self, pointer: &str) -> bool {
        self.value(pointer, Value::as_object).is_some()
    }

    fn flag(&self, pointer: &str) -> bool {
        self.value(pointer, Value::as_bool).unwrap_or_default()
    }

    fn number(&self, pointer: &str) -> Option<u32> {
        self.value(pointer, |value| u32::try_from(value.as_u64()?).ok())
    }

    fn string(&self, pointer: &str) -> Option<&'a str> {
        self.value(pointer, Value::as_str)
    }

    fn items(&self, pointer: &str) -> Option<&'a [Value]> {
        self.value(pointer, Value::as_array).map(Vec::as_slice)
    }

    fn strings(&self, pointer: &str) -> Option<Vec<&'a str>> {
        let items = self.items(pointer)?;
        Some(items.iter().filter_map(|item| item.as_str().or_else(|| skip(pointer))).collect())
    }

    fn contains(&self, pointer: &str, text: &str) -> bool {
        self.strings(pointer).is_some_and(|texts| texts.contains(&text))
    }

    fn contains_number(&self, pointer: &str, number: u64) -> bool {
        self.items(pointer).is_some_and(|items| items.iter().any(|item| item.as_u64() == Some(number)))
    }

    /// The first supported encoding in the client's order of preference; UTF-16, which every client
    /// supports, if there is none.
    fn encoding(&self) -> Encoding {
        let offered = self.strings("/capabilities/general/positionEncodings").unwrap_or_default();
        let known = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
        let find = |name: &&str| known.into_iter().find(|known| encoding_kind(*known).as_str() == *name);
        offered.iter().find_map(find).unwrap_or_default()
    }
}

fn url(value: &Value) -> Option<Url> {
    Url::parse(value.as_str()?).ok()
}

fn skip<T>(pointer: &str) -> Option<T> {
    tracing::warn!(pointer, "`initialize`: a value of another type is ignored");
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(params: &Value) -> String {
        format!("{:?}", SessionParams::read(params))
    }

    #[test]
    fn values_of_another_type_count_as_absent() {
        let absent = read(&json!({}));
        let folding = |options: Value| json!({"capabilities": {"textDocument": {"foldingRange": options}}});
        for params in [
            json!({"processId": -1}),
            json!({"processId": 1.5, "capabilities": null}),
            json!({"rootUri": "", "rootPath": 7, "trace": "compact", "clientInfo": "x", "locale": 7}),
            json!({"rootUri": "/work", "workspaceFolders": {}}),
            json!({"capabilities": {"general": null, "workspace": 7, "textDocument": {"foldingRange": []}}}),
            json!({"capabilities": {"textDocument": {"semanticTokens": {"formats": ["absolute"]}}}}),
            json!({"capabilities": {"workspace": {"didChangeConfiguration": {"dynamicRegistration": 1}}}}),
            folding(json!({"rangeLimit": -1, "lineFoldingOnly": "yes"})),
            folding(json!({"foldingRangeKind": {"valueSet": "region"}})),
            folding(json!({"foldingRange": {"collapsedText": 1}})),
        ] {
            assert_eq!(read(&params), absent, "{params}");
        }
    }

    #[test]
    fn capabilities_are_found_where_clients_write_them() {
        let refresh = json!({"refreshSupport": true});
        let diagnostics = |text_document: Value, name: &str| {
            let capabilities = json!({"textDocument": text_document, "workspace": {name: refresh}});
            SessionParams::read(&json!({"capabilities": capabilities})).capabilities.diagnostics
        };
        let taken = json!({"relatedInformation": true, "tagSupport": {"valueSet": [1, 2, "x"]}});
        for (owner, name) in [("publishDiagnostics", "diagnostics"), ("diagnostic", "diagnostic")] {
            let found = diagnostics(json!({owner: taken}), name);
            assert!(found.refreshes && found.related_information && found.unnecessary && found.deprecated);
            assert_eq!(found.pulls, owner == "diagnostic");
        }
    }

    #[test]
    fn valid_values_are_kept_beside_invalid_ones() {
        let folders = json!([{"uri": "/work", "name": "w"}, {"uri": "file:///w"}, {"name": "w"}, 7]);
        let session = SessionParams::read(&json!({"processId": 7, "workspaceFolders": folders}));
        assert_eq!(session.process_id, Some(7));
        assert_eq!(session.folders.iter().map(Url::as_str).collect::<Vec<_>>(), ["file:///w"]);
        let options = json!({"initializationOptions": {"lint": {}}, "rootUri": "file:///w"});
        let session = SessionParams::read(&options);
        assert_eq!(session.initialization_options, Some(json!({"lint": {}})));
        assert_eq!(session.folders.len(), 1);
        let kinds = json!({"foldingRangeKind": {"valueSet": ["function", "region", 7]}, "rangeLimit": 5});
        let capabilities = json!({
            "general": {"positionEncodings": ["x", 7, "utf-8"]},
            "window": 7,
            "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["copy", "create"]}},
            "textDocument": {
                "foldingRange": kinds,
                "hover": {"contentFormat": ["html", "markdown"]},
                "semanticTokens": {"requests": {"range": {}, "full": true}, "tokenTypes": ["string", 7]},
            },
        });
        let found = SessionParams::read(&json!({"capabilities": capabilities})).capabilities;
        assert_eq!(found.encoding, Encoding::Utf8);
        assert!(found.region && found.creates_files && found.tokens.is_supported);
        assert!(found.markdown && !found.tokens.deltas);
        assert_eq!(found.folding.range_limit, Some(5));
    }
}
