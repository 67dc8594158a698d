/** Tells the page what the editor of its document shows, and where its cursor is. */
import * as vscode from 'vscode';
import type { ToPage } from './messages';

/** Milliseconds in which a place that the page itself asked for is still being scrolled to. */
const REST = 400;

export class ScrollSync implements vscode.Disposable {
  private uri = '';
  private quietUntil = 0;
  /** The page keeps its own place when it is shown again, until the editor is scrolled. */
  private line: number | undefined;
  private cursor: number | undefined;
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(private readonly post: (message: ToPage) => void) {
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        this.scrolled(textEditor);
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.moved(textEditor);
      }),
    ];
  }

  follow(uri: vscode.Uri): void {
    this.uri = uri.toString();
    this.line = undefined;
    this.cursor = undefined;
    this.begin();
  }

  /** What the editor shows now is what the page should show, once it has something to show. */
  begin(): void {
    const editor = vscode.window.visibleTextEditors.find((candidate) => this.isOurs(candidate));
    this.line = editor?.visibleRanges[0]?.start.line;
    this.cursor = editor?.selection.active.line;
  }

  /** The page has drawn the document. */
  drawn(): void {
    if (this.line !== undefined) {
      this.post({ type: 'scroll', line: this.line });
      this.line = undefined;
    }
    if (this.cursor !== undefined) {
      this.post({ type: 'cursor', line: this.cursor });
    }
  }

  /** The page has sent the editor somewhere: it stays itself where it is. */
  rest(): void {
    this.quietUntil = Date.now() + REST;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private scrolled(editor: vscode.TextEditor): void {
    const line = editor.visibleRanges[0]?.start.line;
    if (line !== undefined && this.isOurs(editor) && Date.now() > this.quietUntil) {
      this.post({ type: 'scroll', line });
    }
  }

  private moved(editor: vscode.TextEditor): void {
    if (this.isOurs(editor)) {
      this.cursor = editor.selection.active.line;
      this.post({ type: 'cursor', line: this.cursor });
    }
  }

  private isOurs(editor: vscode.TextEditor): boolean {
    return editor.document.uri.toString() === this.uri;
  }
}
