/** Commands and messages about the server and its files, which work in every document. */
import * as vscode from 'vscode';
import { inform, messageOf } from '../common';
import { writeConfig } from '../platform';
import type { Server } from '../server';

/** The commands in the menu, with their icons. */
const OF_DOCUMENT = {
  openPreviewToSide: 'open-preview',
  showEvents: 'list-ordered',
  insertCall: 'add',
  runAllCalls: 'run-all',
  showServers: 'server-process',
  foldBatches: 'fold',
  unfoldBatches: 'unfold',
  nextPendingCall: 'watch',
  nextFailedCall: 'error',
  nextProblem: 'warning',
};
const NEEDS_RUN = ['chatls.runAllCalls', 'chatls.showServers'];
const OF_SERVER = { openSession: 'history', restart: 'debug-restart', showLogs: 'output' };

/** The used part of package.json. */
export interface Manifest {
  contributes: { commands: { command: string; title: string }[] };
}

interface Action {
  command?: string;
  argument?: string;
}

/** The menu of the status bar item. */
export async function showMenu(server: Server, manifest: Manifest): Promise<void> {
  const entries = (icons: Record<string, string>): (vscode.QuickPickItem & Action)[] =>
    manifest.contributes.commands.flatMap(({ command, title }) => {
      const icon = icons[command.replace('chatls.', '')];
      return icon === undefined || (NEEDS_RUN.includes(command) && !server.runs('chatls.run')) ? [] : { label: `$(${icon}) ${title}`, command };
    });
  const ofServer = [...entries(OF_SERVER), { label: '$(gear) Open Settings', ...settings('@ext:chatls.chatls') }];
  const ofDocument = [...entries(OF_DOCUMENT), { label: 'Server', kind: vscode.QuickPickItemKind.Separator }];
  const chosen = await vscode.window.showQuickPick(server.state === 'running' ? [...ofDocument, ...ofServer] : ofServer, {
    title: `chatls ${server.version}`.trim(),
    placeHolder: server.reason || (server.command ?? 'There is no server'),
  });
  await perform(chosen);
}

/** Reports that the server does not run, and performs the chosen action. */
export async function sayItFailed({ command, reason }: Server): Promise<void> {
  const buttons: (vscode.MessageItem & Action)[] = [
    { title: command ? 'Restart Server' : 'Try Again', command: 'chatls.restart' },
    { title: 'Open Settings', ...settings('chatls.path') },
    command ? { title: 'Show Logs', command: 'chatls.showLogs' } : { title: 'How to Install', command: 'chatls.howToInstall' },
  ];
  await perform(await vscode.window.showErrorMessage(reason, ...buttons));
}

/** Reports that a command needs the server. */
export async function sayItDoesNotRun(server: Server): Promise<void> {
  if ((await vscode.window.showWarningMessage('The chatls server is not running.', 'Restart Server')) !== undefined) {
    await server.start();
  }
}

/** Opens the page of the walkthrough about installing the server. */
export async function howToInstall(): Promise<void> {
  const walkthrough = { category: 'chatls.chatls#start', step: 'chatls.chatls#start#server' };
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}

/** Opens an unsaved transcript that shows all features. */
export async function openSample(extension: vscode.Uri): Promise<void> {
  const sample = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'walkthrough', 'sample.md'));
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: new TextDecoder().decode(sample) });
  await vscode.window.showTextDocument(document);
}

/** Writes a `chatls.toml` with the registries of the workspace folder, and opens it. */
export async function createConfig({ command }: Server): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) {
    return;
  }
  const file = vscode.Uri.joinPath(folder, 'chatls.toml');
  const exists = await vscode.workspace.fs.stat(file).then(() => true, () => false);
  if (exists || (await isWritten(folder, command))) {
    await vscode.window.showTextDocument(file);
  }
}

async function isWritten(folder: vscode.Uri, command: string | undefined): Promise<boolean> {
  if (command === undefined) {
    void vscode.window.showWarningMessage('There is no chatls server to create it.');
    return false;
  }
  try {
    await writeConfig(command, folder);
    return true;
  } catch (error) {
    void vscode.window.showErrorMessage(`chatls init: ${messageOf(error)}`);
    return false;
  }
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) {
    inform('Open a folder first: chatls.toml applies to the documents below its folder.');
    return undefined;
  }
  return (folders.length === 1 ? folders[0] : await vscode.window.showWorkspaceFolderPick())?.uri;
}

function settings(query: string): Action {
  return { command: 'workbench.action.openSettings', argument: query };
}

async function perform({ command, argument }: Action = {}): Promise<void> {
  if (command !== undefined) {
    await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
  }
}
