/** Synchronizes the scroll positions of the page and the editor, and the cursor of the page. */
import * as vscode from 'vscode';
import { editorsOf } from '../common';
import type { ToPage } from './messages';

/** Milliseconds during which a scroll requested by the page may still be in progress. */
const REST = 400;

export class ScrollSync implements vscode.Disposable {
  private uri: vscode.Uri | undefined;
  private quietUntil = 0;
  /** The page keeps its own position when it is shown again, until the editor is scrolled. */
  private top: vscode.Position | undefined;
  private cursor: vscode.Position | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly post: (message: ToPage) => void) {
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (this.isOurs(textEditor) && Date.now() > this.quietUntil) {
          this.send('scroll', topOf(textEditor));
        }
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (this.isOurs(textEditor)) {
          this.cursor = textEditor.selection.active;
          this.send('cursor', this.cursor);
        }
      }),
    );
  }

  follow(uri: vscode.Uri): void {
    this.uri = uri;
    this.begin();
  }

  /** Lets the page show the editor's position, once it has content. */
  begin(): void {
    const editor = this.editor();
    this.top = editor && topOf(editor);
    this.cursor = editor?.selection.active;
  }

  /** The page has rendered the document. */
  drawn(): void {
    this.send('scroll', this.top);
    this.top = undefined;
    this.send('cursor', this.cursor);
  }

  /** The page has moved the editor: the page keeps its position. */
  rest(): void {
    this.quietUntil = Date.now() + REST;
  }

  /** The user scrolled the page to that line. */
  scrollEditor(line: number): void {
    this.rest();
    this.editor()?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private send(type: 'scroll' | 'cursor', position: vscode.Position | undefined): void {
    if (position !== undefined) {
      this.post({ type, position: { line: position.line, character: position.character } });
    }
  }

  private editor(): vscode.TextEditor | undefined {
    return this.uri && editorsOf(this.uri)[0];
  }

  private isOurs({ document }: vscode.TextEditor): boolean {
    return document.uri.toString() === this.uri?.toString();
  }
}

/**
 * The position to show at the top of the page. The page is higher than the text, so that the end of the document
 * would be below it: when the editor shows the end, the page does, too.
 */
function topOf({ document, visibleRanges }: vscode.TextEditor): vscode.Position | undefined {
  const start = visibleRanges[0]?.start;
  const end = visibleRanges.at(-1)?.end;
  return start && end && start.line > 0 && end.line >= document.lineCount - 1 ? end : start;
}
