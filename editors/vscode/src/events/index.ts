import type * as vscode from 'vscode';
import type { Server } from '../server';

export function registerEvents(_context: vscode.ExtensionContext, _server: Server): void {
  // To be written.
}
