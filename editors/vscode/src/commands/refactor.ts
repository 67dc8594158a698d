/** The server's own commands, with the place of the cursor. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';
import { orSayWhyNot } from '../messages';
import type { Server } from '../server';

/** A command of the palette for one of the server's. */
export interface Refactoring {
  /** Behind `chatls.`: not the server's own name, which the client registers. */
  id: string;
  /** The server's. */
  command: string;
  /** What it needs to know of the place. */
  at: 'position' | 'selection' | 'document';
  scope?: 'call' | 'batch' | 'document';
}

export const REFACTORINGS: readonly Refactoring[] = [
  { id: 'convertCall', command: 'chatls.convert', at: 'position', scope: 'call' },
  { id: 'convertBatch', command: 'chatls.convert', at: 'position', scope: 'batch' },
  { id: 'convertDocument', command: 'chatls.convert', at: 'document', scope: 'document' },
  { id: 'mergeResult', command: 'chatls.merge', at: 'position' },
  { id: 'unifyForms', command: 'chatls.unify', at: 'position' },
  { id: 'giveNewId', command: 'chatls.newId', at: 'position' },
  { id: 'numberAllIds', command: 'chatls.numberIds', at: 'position' },
  { id: 'redactSecrets', command: 'chatls.redact', at: 'position' },
  { id: 'wrapSelection', command: 'chatls.wrap', at: 'selection' },
  { id: 'extractBatch', command: 'chatls.extract', at: 'position' },
  { id: 'sortAllRecords', command: 'chatls.sortRecords', at: 'position' },
];

/** Does it at the cursor. */
export async function refactor(editor: vscode.TextEditor, server: Server, refactoring: Refactoring): Promise<void> {
  if (refactoring.at === 'selection' && editor.selection.isEmpty) {
    void vscode.window.showInformationMessage('Select the text that is to be the result of a call first.');
    return;
  }
  await execute(editor, server, refactoring.command, { ...place(editor, server, refactoring), scope: refactoring.scope });
}

/** Has the server run a command; says why where it cannot. */
export async function execute(editor: vscode.TextEditor, server: Server, command: string, more: object): Promise<void> {
  const client = server.client();
  if (client === undefined) {
    void vscode.window.showWarningMessage('The chatls server is not running.', 'Restart').then((chosen) => {
      void (chosen && server.restart());
    });
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  await orSayWhyNot(client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [{ uri, ...more }] }));
}

/** Mends all that is safe to mend. */
export async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand('editor.action.sourceAction', { kind: 'source.fixAll.chatls', apply: 'first' });
}

function place(editor: vscode.TextEditor, server: Server, { at }: Refactoring): object {
  const converter: LanguageClient['code2ProtocolConverter'] | undefined = server.client()?.code2ProtocolConverter;
  if (converter === undefined || at === 'document') {
    return {};
  }
  return at === 'selection'
    ? { range: converter.asRange(editor.selection) }
    : { position: converter.asPosition(editor.selection.active) };
}
