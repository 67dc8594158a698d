/**
 * The client's features for single documents: those that the server reads by its own rule. The selector of a
 * client is fixed when it starts, so they are registered document by document.
 */
import type { Uri } from 'vscode';
import {
  CodeActionRequest,
  CodeLensRequest,
  CompletionRequest,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SemanticTokensRegistrationType,
  SignatureHelpRequest,
  TextDocumentSyncKind,
  type DynamicFeature,
  type FeatureState,
  type LanguageClient,
  type ServerCapabilities,
  type StaticFeature,
} from 'vscode-languageclient/node';

/** The methods of the features, in the order of their registration, with the server's capabilities. */
const FEATURES: readonly [string, keyof ServerCapabilities | undefined][] = [
  [DidOpenTextDocumentNotification.method, undefined],
  [DidChangeTextDocumentNotification.method, undefined],
  [DidSaveTextDocumentNotification.method, undefined],
  [CodeActionRequest.method, 'codeActionProvider'],
  [CodeLensRequest.method, 'codeLensProvider'],
  [CompletionRequest.method, 'completionProvider'],
  [DefinitionRequest.method, 'definitionProvider'],
  [DocumentHighlightRequest.method, 'documentHighlightProvider'],
  [DocumentLinkRequest.method, 'documentLinkProvider'],
  [DocumentSymbolRequest.method, 'documentSymbolProvider'],
  [FoldingRangeRequest.method, 'foldingRangeProvider'],
  [HoverRequest.method, 'hoverProvider'],
  [InlayHintRequest.method, 'inlayHintProvider'],
  [ReferencesRequest.method, 'referencesProvider'],
  [RenameRequest.method, 'renameProvider'],
  [SelectionRangeRequest.method, 'selectionRangeProvider'],
  [SemanticTokensRegistrationType.method, 'semanticTokensProvider'],
  [SignatureHelpRequest.method, 'signatureHelpProvider'],
  [DocumentDiagnosticRequest.method, 'diagnosticProvider'],
  // At last: it tells the server that the document is closed.
  [DidCloseTextDocumentNotification.method, undefined],
];

export class IncludedFeatures implements StaticFeature {
  private capabilities: ServerCapabilities = {};
  private readonly registered = new Set<string>();

  constructor(private readonly client: LanguageClient) {}

  preInitialize(capabilities: ServerCapabilities): void {
    this.capabilities = capabilities;
  }

  /** Registers or unregisters them for a document, which the server then opens or closes. */
  set(uri: Uri, isIncluded: boolean): void {
    const key = uri.toString();
    if (this.registered.has(key) === isIncluded) {
      return;
    }
    this.registered[isIncluded ? 'add' : 'delete'](key);
    for (const [method, capability] of FEATURES) {
      const offered: unknown = capability === undefined ? {} : this.capabilities[capability];
      const feature = this.client.getFeature(method as never) as DynamicFeature<object> | undefined;
      const id = `${method} ${key}`;
      if (feature === undefined || offered === undefined || offered === false) {
        continue;
      }
      if (isIncluded) {
        feature.register({ id, registerOptions: { ...(offered === true ? {} : (offered as object)), ...optionsOf(uri) } });
      } else {
        feature.unregister(id);
      }
    }
  }

  /** The features dispose of their registrations. */
  clear(): void {
    this.registered.clear();
  }

  getState(): FeatureState {
    return { kind: 'static' };
  }

  fillClientCapabilities(): void {
    // The features' own methods are all that is registered.
  }

  initialize(): void {
    // It is known later which documents are included.
  }
}

function optionsOf(uri: Uri): object {
  // In brackets, a character of a pattern is itself.
  const pattern = uri.fsPath.replace(/[*?{}[\]]/g, '[$&]');
  return { documentSelector: [{ scheme: uri.scheme, pattern }], syncKind: TextDocumentSyncKind.Incremental, workspaceDiagnostics: false };
}
