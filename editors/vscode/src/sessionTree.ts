/** The view *Sessions* in the side bar: the sessions of coding agents on this machine, by agent. */
import * as vscode from 'vscode';
import { plural } from './counts';
import type { Session } from './protocol';
import type { Server } from './server';
import { orderedByAgent } from './sessionOrder';

/** An agent with its sessions, or one session. */
type Node = { agent: string; sessions: Session[] } | Session;

export function registerSessionTree(context: vscode.ExtensionContext, server: Server): void {
  const changes = new vscode.EventEmitter<undefined>();
  const tree: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changes.event,
    // It is asked once the view is visible: nothing reads the sessions before.
    getChildren: async (node) => {
      if (node !== undefined) {
        return 'sessions' in node ? node.sessions : [];
      }
      await server.whenStarted();
      return orderedByAgent((await server.ask<{ sessions: Session[] }>('sessions', {})).sessions);
    },
    getTreeItem: itemOf,
  };
  context.subscriptions.push(
    changes,
    vscode.window.registerTreeDataProvider('chatls.sessions', tree),
    vscode.commands.registerCommand('chatls.refreshSessions', () => { changes.fire(undefined); }),
  );
}

function itemOf(node: Node): vscode.TreeItem {
  if ('sessions' in node) {
    const item = new vscode.TreeItem(node.agent, vscode.TreeItemCollapsibleState.Expanded);
    return Object.assign(item, { description: String(node.sessions.length) });
  }
  const { id, title, changed, folder, calls, failed } = node;
  const counts = [calls !== null && plural(calls, 'call'), failed !== null && failed > 0 && `${failed} failed`].filter(Boolean);
  return Object.assign(new vscode.TreeItem(title ?? id), {
    description: [new Date(changed).toLocaleString(), ...counts].join(' · '),
    tooltip: [title, folder, ...counts].filter(Boolean).join('\n'),
    iconPath: new vscode.ThemeIcon('history'),
    command: { command: 'chatls.openSession', title: 'Open Session', arguments: [node] },
  });
}
