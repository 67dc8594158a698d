//! The capabilities of the client, and the server options that depend on them.

pub mod read;

use lsp_types::PositionEncodingKind;
use serde_json::{Value, json};

use crate::features::folding::FoldingCapabilities;
use crate::features::semantic_tokens::SemanticTokenKind;
use crate::text::Encoding;

/// The capabilities of a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionCapabilities {
    /// The encoding of columns.
    pub encoding: Encoding,
    /// Its capabilities for folds.
    pub folding: FoldingCapabilities,
    /// True if it supports the fold kind `region`.
    pub region: bool,
    /// True if it supports hierarchical symbols.
    pub symbol_tree: bool,
    /// True if it supports links with an origin in `textDocument/definition`.
    pub definition_links: bool,
    /// The same in `textDocument/declaration`.
    pub declaration_links: bool,
    /// The same in `textDocument/implementation`.
    pub implementation_links: bool,
    /// True if it sends `textDocument/prepareRename`.
    pub prepares_rename: bool,
    /// Its capabilities for diagnostics.
    pub diagnostics: DiagnosticCapabilities,
    /// True if it supports `workspace/configuration`.
    pub workspace_configuration: bool,
    /// Its capabilities for code actions.
    pub actions: CodeActionCapabilities,
    /// Its capabilities for completion.
    pub completion: CompletionCapabilities,
    /// True if parameters in signature help are ranges of the label; otherwise they are words in
    /// it.
    pub label_offsets: bool,
    /// True if it shows Markdown in signature help.
    pub signature_markdown: bool,
    /// True if it supports `workspace/applyEdit`.
    pub applies_edits: bool,
    /// True if such an edit may create a file.
    pub creates_files: bool,
    /// True if it shows Markdown in documentation.
    pub markdown: bool,
    /// True if it supports refresh requests for inlay hints.
    pub refreshes_hints: bool,
    /// True if it resolves the tooltip of an inlay hint on demand.
    pub resolves_hints: bool,
    /// Its capabilities for semantic tokens.
    pub tokens: SemanticTokensCapabilities,
    /// True if it shows progress that the server begins.
    pub progress: bool,
    /// True if it runs the command of a link `command:NAME?ARGUMENTS` in Markdown.
    pub command_links: bool,
    /// True if nothing may be run for it (VS Code's restricted mode).
    pub is_restricted: bool,
    /// True if it supports dynamic registration of file watchers.
    pub watches_files: bool,
    /// True if it supports dynamic registration for changes of its settings.
    pub registers_did_change_configuration: bool,
}

impl SessionCapabilities {
    /// True if calls may be run for it, by its user's commands.
    pub fn runs(&self) -> bool {
        cfg!(feature = "run") && !self.is_restricted
    }
}

/// The client's capabilities for diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagnosticCapabilities {
    /// True if it pulls the diagnostics of open documents, which are not pushed then.
    pub pulls: bool,
    /// True if it may be offered the diagnostics of the whole workspace.
    pub pulls_workspace: bool,
    /// True if it supports refresh requests.
    pub refreshes: bool,
    /// True if it handles the response to a request before its partial results.
    pub is_out_of_order: bool,
    /// True if it shows related information.
    pub related_information: bool,
    /// True if it supports the tag `Unnecessary`.
    pub unnecessary: bool,
    /// True if it supports the tag `Deprecated`.
    pub deprecated: bool,
    /// True if it links a code to its page.
    pub pages: bool,
}

/// The client's capabilities for code actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeActionCapabilities {
    /// True if it supports code action literals; otherwise it gets none.
    pub literals: bool,
    /// True if it resolves the edit of a chosen action.
    pub resolves_edits: bool,
    /// True if it supports `window/showMessageRequest`.
    pub show_message_request: bool,
    /// True if edits may contain the version of their document.
    pub versioned_edits: bool,
    /// True if it shows annotated edits to the user, who confirms them.
    pub annotated_edits: bool,
}

/// The client's capabilities for completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletionCapabilities {
    /// True if it supports snippets.
    pub snippets: bool,
    /// True if it supports `asIs`; otherwise it indents the lines of snippets.
    pub as_is: bool,
    /// True if it supports the tag `Deprecated`.
    pub tags: bool,
    /// True if it shows Markdown.
    pub markdown: bool,
}

const KINDS: usize = SemanticTokenKind::ALL.len();

/// The client's capabilities for semantic tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemanticTokensCapabilities {
    /// True if it supports them at all.
    pub is_supported: bool,
    /// True if it supports refresh requests.
    pub refreshes: bool,
    /// True if it supports deltas.
    pub(crate) deltas: bool,
    /// The LSP token type for each kind, if the client has one.
    type_names: [Option<&'static str>; KINDS],
    /// True if it supports the modifier `deprecated`.
    pub(crate) deprecated: bool,
}

/// The LSP token types for a kind, best first.
fn lsp_types_of(kind: SemanticTokenKind) -> &'static [&'static str] {
    match kind {
        SemanticTokenKind::Mark | SemanticTokenKind::OutdatedMark | SemanticTokenKind::Constant => {
            &["keyword"]
        }
        SemanticTokenKind::Tool => &["function", "method"],
        SemanticTokenKind::Field | SemanticTokenKind::Property => &["property", "variable"],
        SemanticTokenKind::Parameter => &["parameter", "property", "variable"],
        SemanticTokenKind::Id => &["variable"],
        SemanticTokenKind::State => &["enumMember", "enum", "string"],
        SemanticTokenKind::String | SemanticTokenKind::Error => &["string"],
        SemanticTokenKind::Number => &["number"],
    }
}

impl SemanticTokensCapabilities {
    /// The server's options for the client.
    pub fn provider(&self) -> Value {
        let mut modifiers = vec!["error"];
        if self.deprecated {
            modifiers.push("deprecated");
        }
        json!({
            "legend": {"tokenTypes": self.types(), "tokenModifiers": modifiers},
            "range": true,
            "full": {"delta": self.deltas},
        })
    }

    /// The types of the legend, in order.
    fn types(&self) -> Vec<&'static str> {
        let mut types = Vec::new();
        for word in self.type_names.into_iter().flatten() {
            if !types.contains(&word) {
                types.push(word);
            }
        }
        types
    }

    /// The index of each kind's type in the legend.
    pub(crate) fn numbers(&self) -> [Option<u32>; KINDS] {
        let types = self.types();
        let number =
            |word: &str| types.iter().zip(0..).find_map(|(known, at)| (*known == word).then_some(at));
        self.type_names.map(|word| word.and_then(number))
    }
}

pub(crate) fn encoding_kind(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}
