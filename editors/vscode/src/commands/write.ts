/** Commands that change the document: snippets, results, and the commands of the server. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { baseName, inform, messageOf } from '../common';
import { withProgress } from '../progress';
import type { Server } from '../server';
import logs from '../snippets/logs.json';
import markdown from '../snippets/markdown.json';
import type { ToolUse } from '../protocol';
import type { VisibleToolUses } from '../toolUses';

/** The commands of the palette for those of the server, whose names the client registers itself. */
export const SERVER_COMMANDS = {
  convertCall: { command: 'chatls.convert', scope: 'call' },
  convertBatch: { command: 'chatls.convert', at: 'batch', scope: 'batch' },
  convertDocument: { command: 'chatls.convert', scope: 'document' },
  mergeResult: { command: 'chatls.merge' },
  unifyForms: { command: 'chatls.unify' },
  giveNewId: { command: 'chatls.newId' },
  numberAllIds: { command: 'chatls.numberIds' },
  redactSecrets: { command: 'chatls.redact' },
  wrapSelection: { command: 'chatls.wrap', at: 'selection' },
  extractBatch: { command: 'chatls.extract', at: 'batch' },
  sortAllRecords: { command: 'chatls.sortRecords' },
  convertTheConversation: { command: 'chatls.convertConversation', scope: 'document' },
} satisfies Record<string, ServerCommand>;

export interface ServerCommand {
  command: string;
  /** The place that it needs, by default the cursor. For a batch, that may be between its calls. */
  at?: 'batch' | 'selection';
  scope?: 'call' | 'batch' | 'document';
}

interface Outcome extends vscode.QuickPickItem {
  asks?: { field: 'output' | 'errorText'; prompt: string };
}

const OUTCOMES: readonly Outcome[] = [
  { label: 'With an empty result', description: 'to be written later' },
  { label: 'With a result…', asks: { field: 'output', prompt: 'The result, as JSON or text' } },
  { label: 'As failed…', asks: { field: 'errorText', prompt: 'The error message' } },
];

/** Runs a command of the server at the cursor. */
export async function runAtCursor(
  editor: vscode.TextEditor,
  server: Server,
  uses: VisibleToolUses,
  { command, at, scope }: ServerCommand,
): Promise<void> {
  const { active, start, end, isEmpty } = editor.selection;
  if (at === 'selection' && isEmpty) {
    inform('First select the text that should become the result of a call.');
    return;
  }
  const batch = at === 'batch' ? await uses.batchAt(editor) : undefined;
  const place = at === 'selection' ? { range: { start, end } } : { position: batch?.range.start ?? active };
  await execute(editor, server, command, { ...(scope !== 'document' && place), scope });
}

/** Completes the pending call at the cursor, or else the next one. */
export async function completeCall(editor: vscode.TextEditor, server: Server, uses: VisibleToolUses): Promise<void> {
  const known = await uses.fresh(editor.document);
  const { active } = editor.selection;
  const call = known && pendingAt(known.toolUses, active.line);
  if (known && !call) {
    inform('There is no pending call in this document.');
    return;
  }
  const title = call ? `Complete ${call.toolName}` : 'Complete the call';
  const outcome = await vscode.window.showQuickPick(OUTCOMES, { title });
  const written = outcome?.asks && (await vscode.window.showInputBox({ title, prompt: outcome.asks.prompt }));
  if (outcome && (!outcome.asks || written !== undefined)) {
    const result = outcome.asks && { [outcome.asks.field]: outcome.asks.field === 'output' ? jsonOrText(written ?? '') : written };
    await execute(editor, server, 'chatls.complete', { position: call?.selectionRange.start ?? active, ...result });
  }
}

/** Lets the user choose a form, and inserts it on a line of its own. */
export async function insertCall(editor: vscode.TextEditor, uses: VisibleToolUses): Promise<void> {
  const { document, selection } = editor;
  if (uses.of(document)?.enabled === false) {
    inform('The configuration of chatls excludes this document: check `enable`, `include` and `exclude`.');
    return;
  }
  const snippets = document.languageId.endsWith('markdown') ? markdown : logs;
  const chosen = await vscode.window.showQuickPick(snippets, { placeHolder: 'The text to insert' });
  if (chosen !== undefined) {
    const before = document.lineAt(selection.start.line).text.slice(0, selection.start.character);
    // A quote or a list item may precede the cursor.
    const isBlank = /^[\s>]*(?:[-*+]\s*|\d+[.)]\s*)?$/.test(before);
    await editor.insertSnippet(new vscode.SnippetString([...(isBlank ? [] : ['', '']), ...chosen.body].join('\n')));
  }
}

/** Waits for a command of the server; if it fails, shows the reason. */
export async function orSayWhyNot(command: Promise<unknown>): Promise<void> {
  await command.catch((error: unknown) => void vscode.window.showWarningMessage(`chatls: ${messageOf(error)}`));
}

async function execute({ document }: vscode.TextEditor, server: Server, command: string, more: object): Promise<void> {
  const client = server.client();
  if (client !== undefined) {
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    const params = { command, arguments: [{ uri, ...more }] };
    const send = async (token: vscode.CancellationToken): Promise<unknown> => client.sendRequest(ExecuteCommandRequest.type, params, token);
    await orSayWhyNot(withProgress(`Changing ${baseName(document.uri)}`, send));
  }
}

/** The pending call on the line, or else the next one, or else the first. */
function pendingAt(uses: readonly ToolUse[], line: number): ToolUse | undefined {
  const pending = uses.filter(({ status }) => status === 'pending');
  return pending.find(({ range }) => range.end.line >= line) ?? pending[0];
}

function jsonOrText(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}
