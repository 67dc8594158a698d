/** The entry point for VS Code. */
import * as vscode from 'vscode';
import { registerBadges } from './badges';
import { registerCommands } from './commands';
import { sayItFailed } from './commands/server';
import { registerCompare } from './compare';
import { registerConversation } from './conversation';
import { FoldLabels } from './decorations';
import { registerEvents } from './events';
import { registerExport } from './export';
import { followIncluded } from './included';
import { forLargeDocuments } from './large';
import { forLenses } from './lenses';
import { registerModelRequest } from './modelRequest';
import { registerPreview } from './preview';
import { registerRepair } from './repair';
import { Runs } from './running/runs';
import { registerServerTree } from './running/serverTree';
import { ToolServers } from './running/servers';
import { Server } from './server';
import { registerSessionTree } from './sessionTree';
import { registerSessions } from './sessions';
import { Status } from './status';
import { VisibleToolUses } from './toolUses';
import { followTranscripts } from './transcripts';

/** The settings whose change requires a new process. */
const NEEDS_RESTART = ['chatls.path', 'chatls.logLevel', 'editor.foldingMaximumRegions'];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const started = new Server(context);
  server = started;
  const uses = new VisibleToolUses(context, started);
  Object.assign(started.middleware, forLargeDocuments(), forLenses(started));
  new FoldLabels(context, started, uses);
  new Status(context, started, uses);
  followTranscripts(context, started, uses);
  followIncluded(context, started, uses);
  registerBadges(context);
  const [runs, toolServers] = [new Runs(context, started), new ToolServers(context, started)];
  registerCommands(context, { server: started, uses, runs, toolServers });
  registerPreview(context, started);
  registerEvents(context, started);
  registerExport(context, started);
  registerModelRequest(context, started);
  registerCompare(context, started);
  registerConversation(context, started);
  registerRepair(context);
  registerSessions(context, started);
  registerSessionTree(context, started);
  registerServerTree(context, started, toolServers, uses);
  context.subscriptions.push(
    started.onDidChangeState((state) => {
      if (state === 'failed') {
        void sayItFailed(started);
      }
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (NEEDS_RESTART.some((name) => event.affectsConfiguration(name))) {
        void started.start();
      }
    }),
    // From now on calls can be run, and the path in the workspace's settings applies.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.start()),
  );
  void started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
