/** Code actions: the fixes of a problem, and how they are made. */
import type { CodeAction, Command, Diagnostic, Range } from 'vscode-languageserver-protocol';
import { editsOf } from '../editor/edits';
import type { App } from '../app';

export async function fixesOf({ client, document }: App, diagnostic: Diagnostic): Promise<CodeAction[]> {
  return actions(client, document, diagnostic.range, { diagnostics: [diagnostic], only: ['quickfix'], triggerKind: 1 });
}

/** The action that makes all safe fixes; nothing if there are none. */
export async function fixAllOf({ client, document }: App): Promise<CodeAction | undefined> {
  const end = { line: document.doc.lines - 1, character: 0 };
  const found = await actions(client, document, { start: { line: 0, character: 0 }, end }, { diagnostics: [], only: ['source.fixAll'], triggerKind: 1 });
  return found[0];
}

async function actions(client: App['client'], document: App['document'], range: Range, context: object): Promise<CodeAction[]> {
  const found = await client.request<(CodeAction | Command)[] | null>('textDocument/codeAction', document, { range, context });
  return (found ?? []).filter((action) => typeof action.command !== 'string') as CodeAction[];
}

/** Makes an action: its edit, or the command that asks for one. */
export async function make(app: App, action: CodeAction): Promise<void> {
  const whole = action.edit === undefined && action.data !== undefined ? await app.client.ask<CodeAction>('codeAction/resolve', action) : action;
  if (whole.edit !== undefined) {
    app.edit(editsOf(whole.edit, app.document.uri));
  }
  if (whole.command !== undefined) {
    await app.client.ask('workspace/executeCommand', { command: whole.command.command, arguments: whole.command.arguments });
  }
}
