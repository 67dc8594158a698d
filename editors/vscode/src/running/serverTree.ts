/** The view *Tool Servers* in the side bar: the servers and programs of the last transcript. */
import * as vscode from 'vscode';
import type { ToolServer } from '../protocol';
import type { Server } from '../server';
import type { VisibleToolUses } from '../toolUses';
import { actionsOf, LOOKS, pageOf, wordsOf, type ServerAction, type ToolServers } from './servers';

const COMMANDS: Record<string, ServerAction> = { serverAsk: 'pullTools', serverStop: 'stopServer', serverRevoke: 'revokeConsent' };

export function registerServerTree(context: vscode.ExtensionContext, server: Server, servers: ToolServers, uses: VisibleToolUses): void {
  const tree = new ServerTree(server, servers);
  context.subscriptions.push(
    vscode.window.registerTreeDataProvider('chatls.toolServers', tree),
    servers.onDidChange(() => { tree.changed(); }),
    server.onDidChangeState(() => { tree.changed(); }),
    uses.onDidChange((document) => {
      if (uses.of(document)?.isTranscript === true) {
        // From now on the views are of use.
        void vscode.commands.executeCommand('setContext', 'chatls.hasTranscript', true);
        tree.follow(document.uri);
      }
    }),
    vscode.commands.registerCommand('chatls.refreshServers', () => { tree.changed(); }),
    ...Object.entries(COMMANDS).map(([name, action]) =>
      vscode.commands.registerCommand(`chatls.${name}`, async (item: ToolServer) => tree.act(item, action)),
    ),
  );
}

class ServerTree implements vscode.TreeDataProvider<ToolServer> {
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private document: vscode.Uri | undefined;

  constructor(private readonly server: Server, private readonly servers: ToolServers) {}

  changed(): void {
    this.changes.fire(undefined);
  }

  /** Shows the servers of a transcript from now on. */
  follow(document: vscode.Uri): void {
    if (this.document?.toString() !== document.toString()) {
      this.document = document;
      this.changed();
    }
  }

  async act(item: ToolServer, action: ServerAction): Promise<void> {
    await this.servers.act(this.uri(), item, action);
  }

  async getChildren(parent?: ToolServer): Promise<ToolServer[]> {
    if (parent || this.uri() === '' || !this.server.runs('chatls.servers')) {
      return [];
    }
    // The document may have been closed: then there are none.
    return this.servers.list(this.uri()).catch(() => []);
  }

  getTreeItem(server: ToolServer): vscode.TreeItem {
    const { name, kind, state, facts, reason, file } = server;
    return Object.assign(new vscode.TreeItem(name), {
      description: wordsOf(server),
      iconPath: new vscode.ThemeIcon(LOOKS[state].icon),
      tooltip: [reason, ...facts, file].filter(Boolean).join('\n'),
      // `server pullTools stopServer`: by these words the manifest chooses the actions.
      contextValue: [kind, ...actionsOf(server)].join(' '),
      command: { command: 'vscode.open', title: 'Show Log', arguments: [pageOf(this.uri(), server)] },
    });
  }

  private uri(): string {
    return this.document === undefined ? '' : (this.server.client()?.code2ProtocolConverter.asUri(this.document) ?? '');
  }
}
