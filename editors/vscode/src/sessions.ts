/** Opens a session of a coding agent on this machine. The server lists them, only when asked. */
import * as vscode from 'vscode';
import { messageOf } from './common';
import { plural } from './counts';
import { isJsonLog } from './languages';
import type { Session } from './protocol';
import type { Server } from './server';

interface SessionItem extends vscode.QuickPickItem {
  session?: Session;
}

export function registerSessions(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('chatls.openSession', async (known?: Session) =>
      (known ? open(server, known) : chooseSession(server)).catch((error: unknown) => void vscode.window.showErrorMessage(`No session was opened: ${messageOf(error)}`)),
    ),
  );
}

async function chooseSession(server: Server): Promise<void> {
  const items = server.ask<{ sessions: Session[] }>('sessions', {}).then(({ sessions }): SessionItem[] =>
    sessions.length === 0 ? [{ label: 'There are no sessions of coding agents on this machine' }] : sessions.map(itemOf),
  );
  const options = { title: 'Open Session', placeHolder: 'The newest first: search for a title, an agent or a folder', matchOnDescription: true, matchOnDetail: true };
  const session = (await vscode.window.showQuickPick(items, options))?.session;
  if (session) {
    await open(server, session);
  }
}

async function open(server: Server, session: Session): Promise<void> {
  if (!session.path.endsWith('.jsonl') && !isJsonLog(session.path)) {
    // A session of opencode consists of many files; other JSON is not sent to the server.
    const { text } = await server.ask<{ text: string }>('sessionText', session);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content: text }));
  } else {
    const uri = vscode.Uri.file(session.path);
    await vscode.commands.executeCommand('vscode.open', uri);
    await vscode.commands.executeCommand('chatls.openPreviewToSide', uri);
  }
}

function itemOf(session: Session): SessionItem {
  const { agent, id, title, changed, folder, calls, failed } = session;
  const counts = [calls !== null && plural(calls, 'call'), failed !== null && failed > 0 && `${failed} failed`];
  const detail = [folder, ...counts].filter(Boolean).join(' · ');
  return { label: title ?? id, description: `${agent} · ${new Date(changed).toLocaleString()}`, detail, session };
}
