/** The commands of the palette, except those of the views. */
import * as vscode from 'vscode';
import { inform } from '../common';
import { isTranscript } from '../languages';
import { repair } from '../repair';
import { run } from '../running/run';
import type { Runs } from '../running/runs';
import type { ToolServers } from '../running/servers';
import type { Server } from '../server';
import type { VisibleToolUses } from '../toolUses';
import { batchesAndSingleCalls, callsWithoutBatches, everything, fold } from './fold';
import { goToCall, goToProblem, registerBatches, showBatchAtCursor } from './navigate';
import { createConfig, howToInstall, openSample, sayItDoesNotRun, showMenu, type Manifest } from './server';
import { completeCall, insertCall, runAtCursor, SERVER_COMMANDS, type ServerCommand } from './write';

/** The most answers of one command that also runs their calls. */
const TURNS = 10;

type EditorCommand = (editor: vscode.TextEditor) => unknown;

interface CommandParts {
  server: Server;
  uses: VisibleToolUses;
  runs: Runs;
  toolServers: ToolServers;
}

export function registerCommands(context: vscode.ExtensionContext, { server, uses, runs, toolServers }: CommandParts): void {
  registerBatches(context);
  const { extension } = context;
  const everywhere: Record<string, () => unknown> = {
    restart: async () => server.start(),
    showLogs: () => { server.showLog(); },
    showMenu: async () => showMenu(server, extension.packageJSON as Manifest),
    howToInstall,
    openSample: async () => openSample(extension.extensionUri),
    createConfig: async () => createConfig(server),
    cancelRuns: async () => runs.cancel(),
  };
  const inEditor: Record<string, EditorCommand> = {
    foldBatches: async (editor) => fold(editor, uses, batchesAndSingleCalls),
    foldCalls: async (editor) => fold(editor, uses, callsWithoutBatches),
    unfoldBatches: async (editor) => fold(editor, uses, everything, 'unfold'),
    nextCall: async (editor) => goToCall(editor, uses, 'next'),
    previousCall: async (editor) => goToCall(editor, uses, 'previous'),
    nextPendingCall: async (editor) => goToCall(editor, uses, 'next', 'pending'),
    nextFailedCall: async (editor) => goToCall(editor, uses, 'next', 'failed'),
    previousFailedCall: async (editor) => goToCall(editor, uses, 'previous', 'failed'),
    nextProblem: async (editor) => goToProblem(editor, 'next'),
    previousProblem: async (editor) => goToProblem(editor, 'previous'),
    showBatchAtCursor: async (editor) => showBatchAtCursor(editor, server, uses),
    insertCall: async (editor) => insertCall(editor, uses),
    completeCall: async (editor) => completeCall(editor, server, uses),
    runCall: async (editor) => run(editor, server, 'chatls.run'),
    runAllCalls: async (editor) => run(editor, server, 'chatls.run', { scope: 'document' }),
    runCallAgain: async (editor) => run(editor, server, 'chatls.runAgain'),
    continueConversation: async (editor) => run(editor, server, 'chatls.continue'),
    continueWithCalls: async (editor) => run(editor, server, 'chatls.continue', { turns: TURNS }),
    repairConversation: async (editor) => repair(server, editor.document.uri),
    showServers: async (editor) => toolServers.show(editor),
    fixAll: () => vscode.commands.executeCommand('editor.action.sourceAction', { kind: 'source.fixAll.chatls', apply: 'first' }),
  };
  for (const [name, command] of Object.entries<ServerCommand>(SERVER_COMMANDS)) {
    inEditor[name] = async (editor) => runAtCursor(editor, server, uses, command);
  }
  const editor = lastTranscriptEditor(context);
  const atEditor = (run: EditorCommand) => async (): Promise<void> => {
    const found = await editor();
    if (found === undefined) {
      inform('Open a chat document first.');
    } else if ((await server.whenStarted()) === undefined) {
      await sayItDoesNotRun(server);
    } else {
      await run(found);
    }
  };
  const all = { ...everywhere, ...Object.fromEntries(Object.entries(inEditor).map(([name, run]) => [name, atEditor(run)])) };
  context.subscriptions.push(...Object.entries(all).map(([name, run]) => vscode.commands.registerCommand(`chatls.${name}`, run)));
}

/**
 * The active editor, or else that of the last active transcript: commands also come from pages such
 * as the walkthrough and the preview.
 */
function lastTranscriptEditor(context: vscode.ExtensionContext): () => Promise<vscode.TextEditor | undefined> {
  let last = vscode.window.activeTextEditor?.document;
  context.subscriptions.push(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && isTranscript(editor.document)) {
        last = editor.document;
      }
    }),
  );
  return async () => {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    if (activeTextEditor || !last || last.isClosed) {
      return activeTextEditor;
    }
    return vscode.window.showTextDocument(last, visibleTextEditors.find(({ document }) => document === last)?.viewColumn);
  };
}
