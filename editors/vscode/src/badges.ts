/** A mark on `*.chat.md` files: they stay Markdown, so they have no icon of their own. */
import * as vscode from 'vscode';

const SETTINGS = ['chatls.editor.fileBadges', 'chatls.enable'];

export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<undefined>();
  private readonly subscription = vscode.Disposable.from(
    vscode.window.registerFileDecorationProvider(this),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SETTINGS.some((setting) => event.affectsConfiguration(setting))) {
        this.changes.fire(undefined);
      }
    }),
  );

  readonly onDidChangeFileDecorations = this.changes.event;

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const settings = vscode.workspace.getConfiguration(undefined, uri);
    const isMarked = /\.chat\.md$/i.test(uri.path) && SETTINGS.every((setting) => settings.get<boolean>(setting, true));
    return isMarked ? new vscode.FileDecoration('💬', 'Chat transcript') : undefined;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changes.dispose();
  }
}
