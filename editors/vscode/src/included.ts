/** Documents that are read although neither language nor name tells, such as JSON and `*.log`: the server knows which. */
import * as vscode from 'vscode';
import { isIncluded, isSelected, setIncluded } from './languages';
import type { Server } from './server';
import type { VisibleToolUses } from './toolUses';

/** Its documents may be files of the workspace. */
const SCHEMES = ['file', 'vscode-vfs'];

export function followIncluded(context: vscode.ExtensionContext, server: Server, uses: VisibleToolUses): void {
  const look = (documents: readonly vscode.TextDocument[]): void => {
    void update(server, uses, documents.filter(mayBeIncluded));
  };
  const all = (): void => { look(vscode.workspace.textDocuments); };
  server.notifications['chatls/includedChanged'] = all;
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument((document) => { look([document]); }),
    // The server judges by the file, which may have become a transcript.
    vscode.workspace.onDidSaveTextDocument((document) => { look([document]); }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      setIncluded(uri, false);
      server.client()?.included.set(uri, false);
    }),
    server.onDidChangeState((state) => {
      if (state === 'running') {
        all();
      }
    }),
  );
}

/** Of any language: the server has the one rule, by which it also reads the files of a folder. */
function mayBeIncluded(document: vscode.TextDocument): boolean {
  return SCHEMES.includes(document.uri.scheme) && !isSelected(document) && !document.uri.path.endsWith('/chatls.toml');
}

async function update(server: Server, uses: VisibleToolUses, documents: readonly vscode.TextDocument[]): Promise<void> {
  const client = server.client();
  if (documents.length === 0 || !client || !server.offers('included')) {
    return;
  }
  try {
    const uris = documents.map(({ uri }) => client.code2ProtocolConverter.asUri(uri));
    const { included } = await server.ask<{ included: boolean[] }>('included', { uris });
    documents.forEach((document, index) => {
      const isWanted = included[index] === true && !document.isClosed;
      server.client()?.included.set(document.uri, isWanted);
      if (isWanted !== isIncluded(document.uri)) {
        setIncluded(document.uri, isWanted);
        uses.again(document);
      }
    });
  } catch {
    // The server ended; it is asked again when it runs.
  }
}
