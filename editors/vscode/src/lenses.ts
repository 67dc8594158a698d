/** The client's middleware for lenses and for commands of the server. */
import * as vscode from 'vscode';
import type { Middleware, Position } from 'vscode-languageclient/node';
import { showBatchAt } from './commands/navigate';
import { orSayWhyNot } from './commands/write';
import { isLarge } from './large';
import { repair } from './repair';
import { offerResults } from './running/run';
import type { Server } from './server';

const SHOW_BATCH = 'chatls.showBatch';
const REPAIR = 'chatls.repair';

export function forLenses(server: Server): Middleware {
  return {
    executeCommand: (command, args: unknown[], next): unknown => {
      switch (command) {
        case SHOW_BATCH:
          return showBatch(server, args[0]);
        case REPAIR:
          return repair(server, server.uriOf((args[0] as { uri: string }).uri));
        default:
          return orSayWhyNot(Promise.resolve(next(command, args)).then((result) => { offerResults(command, result); }));
      }
    },
    // The editor lays out every lens of a document, visible or not.
    provideCodeLenses: async (document, token, next) => (isLarge(document) ? [] : (await next(document, token))?.map(withoutLabel)),
  };
}

async function showBatch(server: Server, argument: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const { position } = (argument ?? {}) as { position?: Position };
  if (editor && position) {
    await showBatchAt(editor, server, position);
  }
}

/** The label is already shown by a hint at the end of the line, or by the fold. */
function withoutLabel(lens: vscode.CodeLens): vscode.CodeLens {
  return lens.command?.command === SHOW_BATCH
    ? new vscode.CodeLens(lens.range, { ...lens.command, title: 'Show', tooltip: lens.command.title })
    : lens;
}
