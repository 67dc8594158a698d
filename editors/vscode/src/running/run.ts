/** Runs calls by the server's commands, and continues conversations. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { inform, messageOf } from '../common';
import type { Continued, RunResult } from '../protocol';
import type { Server } from '../server';

/** The server's commands whose results are those of calls. */
const RUNS = ['chatls.run', 'chatls.runAgain'];

/** Runs a command of the server at the cursor. */
export async function run(editor: vscode.TextEditor, server: Server, command: string, more: object = {}): Promise<void> {
  const client = server.client();
  if (!client || !server.runs(command)) {
    inform(vscode.workspace.isTrusted ? 'This chatls server cannot do that: update it.' : 'Nothing is run in restricted mode: trust the workspace first.');
    return;
  }
  const { document, selection } = editor;
  const position = { line: selection.active.line, character: selection.active.character };
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  try {
    const result: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [{ uri, position, ...more }] });
    offerResults(command, result);
    // The server has said what else went wrong.
    if ((result as Continued | null)?.end === 'allTurns') {
      inform('The conversation can go on: its last calls have run.');
    }
  } catch (error) {
    void vscode.window.showWarningMessage(`chatls: ${messageOf(error)}`);
  }
}

/** Offers the results that a command could not write into the document. */
export function offerResults(command: string, result: unknown): void {
  const { results = [] } = (result ?? {}) as { results?: RunResult[] };
  if (RUNS.includes(command)) {
    results.forEach((each) => void offer(each));
  }
}

async function offer({ toolName, status, text }: RunResult): Promise<void> {
  if (status === 'notWritten' && text !== undefined) {
    // The server has said why.
    const message = `The result of ${toolName} is not in the document.`;
    if ((await vscode.window.showInformationMessage(message, 'Open Result')) !== undefined) {
      const language = isJson(text) ? 'json' : 'plaintext';
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content: text }));
    }
  }
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
