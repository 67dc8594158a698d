/** Runs calls by the server's commands, and continues conversations. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { inform, messageOf } from '../common';
import type { Continued, RunResult } from '../protocol';
import type { Server } from '../server';

/** The server's commands whose results are those of calls. */
const RUNS = ['chatls.run', 'chatls.runAgain'];
const CONTINUE = 'chatls.continue';

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

/** Offers what a command could not write into the document: results, or an answer. */
export function offerResults(command: string, result: unknown): void {
  const { results = [] } = (result ?? {}) as { results?: RunResult[] };
  if (RUNS.includes(command)) {
    for (const { toolName, status, text } of results) {
      if (status === 'notWritten' && text !== undefined) {
        void offer(`The result of ${toolName} is not in the document.`, 'Open Result', isJson(text) ? 'json' : 'plaintext', text);
      }
    }
  } else if (command === CONTINUE) {
    const { text } = (result ?? {}) as Partial<Continued>;
    if (text !== undefined) {
      void offer('The answer is not in the document, or not all of it.', 'Open Answer', 'markdown', text);
    }
  }
}

/** Offers `content`. The server has said why it is not written. */
async function offer(message: string, open: string, language: string, content: string): Promise<void> {
  if ((await vscode.window.showInformationMessage(message, open)) !== undefined) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }));
  }
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
