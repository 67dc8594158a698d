/** Features that depend on whether a document is a transcript, and whether it is enabled. */
import * as vscode from 'vscode';
import { isJson } from './languages';
import type { Server } from './server';
import type { VisibleToolUses } from './toolUses';

export function followTranscripts(context: vscode.ExtensionContext, server: Server, uses: VisibleToolUses): void {
  const enabled = new Map<string, boolean>();
  context.subscriptions.push(
    uses.onDidChange((document) => {
      const known = uses.of(document);
      const key = document.uri.toString();
      // JSON has a formatter already.
      server.client()?.forTranscripts.set(document.uri, known?.isTranscript === true && !isJson(document));
      if (known !== undefined) {
        if (enabled.get(key) === !known.enabled) {
          requestAgain(document.uri);
        }
        enabled.set(key, known.enabled);
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      server.client()?.forTranscripts.set(uri, false);
      enabled.delete(uri.toString());
    }),
  );
}

/**
 * Lets the editor request the outline, folds and lenses of a document again. It only does so after
 * changes of the text or the providers, and LSP has no refresh request for outlines: providers
 * without results come and go.
 */
function requestAgain(uri: vscode.Uri): void {
  const selector = { scheme: uri.scheme, pattern: uri.fsPath };
  vscode.Disposable.from(
    vscode.languages.registerDocumentSymbolProvider(selector, { provideDocumentSymbols: () => [] }),
    vscode.languages.registerFoldingRangeProvider(selector, { provideFoldingRanges: () => [] }),
    vscode.languages.registerCodeLensProvider(selector, { provideCodeLenses: () => [] }),
  ).dispose();
}
