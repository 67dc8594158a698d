/** Keeps the page and the editor of its document at the same place, and tells the page where the cursor is. */
import * as vscode from 'vscode';
import type { Position } from 'vscode-languageserver-protocol';
import type { ToPage } from './messages';

/** Milliseconds in which a place that the page itself asked for is still being scrolled to. */
const REST = 400;

export class ScrollSync implements vscode.Disposable {
  private uri = '';
  private quietUntil = 0;
  /** The page keeps its own place when it is shown again, until the editor is scrolled. */
  private top: vscode.Position | undefined;
  private cursor: vscode.Position | undefined;
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
    this.top = undefined;
    this.cursor = undefined;
    this.begin();
  }

  /** What the editor shows now is what the page should show, once it has something to show. */
  begin(): void {
    const editor = vscode.window.visibleTextEditors.find((candidate) => this.isOurs(candidate));
    this.top = editor?.visibleRanges[0]?.start;
    this.cursor = editor?.selection.active;
  }

  /** The page has drawn the document. */
  drawn(): void {
    if (this.top !== undefined) {
      this.post({ type: 'scroll', position: plain(this.top) });
      this.top = undefined;
    }
    if (this.cursor !== undefined) {
      this.post({ type: 'cursor', position: plain(this.cursor) });
    }
  }

  /** The page has sent the editor somewhere: it stays itself where it is. */
  rest(): void {
    this.quietUntil = Date.now() + REST;
  }

  /** The user scrolled the page to that line. */
  scrollEditor(line: number): void {
    const editor = vscode.window.visibleTextEditors.find((candidate) => this.isOurs(candidate));
    if (editor !== undefined) {
      this.rest();
      editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private scrolled(editor: vscode.TextEditor): void {
    const top = editor.visibleRanges[0]?.start;
    if (top !== undefined && this.isOurs(editor) && Date.now() > this.quietUntil) {
      this.post({ type: 'scroll', position: plain(top) });
    }
  }

  private moved(editor: vscode.TextEditor): void {
    if (this.isOurs(editor)) {
      this.cursor = editor.selection.active;
      this.post({ type: 'cursor', position: plain(this.cursor) });
    }
  }

  private isOurs(editor: vscode.TextEditor): boolean {
    return editor.document.uri.toString() === this.uri;
  }
}

function plain({ line, character }: vscode.Position): Position {
  return { line, character };
}
