/** Where the editor shows the labels of batches as inlay hints, so that nothing says them a second time. */
import * as vscode from 'vscode';
import { ofBatch } from './foldLabels';

export class BatchHints implements vscode.Disposable {
  private readonly lines = new Map<string, Set<number>>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    this.lines.delete(uri.toString());
  });

  /** Fires with the document whose hints came. */
  readonly onDidChange = this.changes.event;

  /** Takes the hints that the editor is given for a part of a document. */
  take(document: vscode.TextDocument, part: vscode.Range, hints: readonly vscode.InlayHint[]): void {
    const key = document.uri.toString();
    const others = [...(this.lines.get(key) ?? [])].filter((line) => line < part.start.line || line > part.end.line);
    const found = hints.filter(({ label }) => ofBatch(textOf(label))).map(({ position }) => position.line);
    this.lines.set(key, new Set([...others, ...found]));
    this.changes.fire(document.uri);
  }

  /** Whether one is shown at the end of a line. */
  has(document: vscode.TextDocument, line: number): boolean {
    return areShown(document) && (this.lines.get(document.uri.toString())?.has(line) ?? false);
  }

  dispose(): void {
    this.closing.dispose();
    this.changes.dispose();
  }
}

/** Whether the editor shows inlay hints without a key. */
export function areShown(document: vscode.TextDocument): boolean {
  const enabled = vscode.workspace.getConfiguration('editor.inlayHints', document).get<string>('enabled', 'on');
  return enabled === 'on' || enabled === 'onUnlessPressed';
}

function textOf(label: vscode.InlayHint['label']): string {
  return typeof label === 'string' ? label : label.map(({ value }) => value).join('');
}
