/** Where VS Code enters. */
import * as vscode from 'vscode';
import { registerEvents } from './events';
import { registerPreview } from './preview';
import { Server } from './server';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server(context);
  context.subscriptions.push(server);
  context.subscriptions.push(vscode.commands.registerCommand('chatls.restart', async () => server.restart()));
  registerPreview(context, server);
  registerEvents(context, server);
  await server.start();
}
