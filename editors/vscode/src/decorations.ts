/** Draws the labels of closed folds: VS Code shows none of its own. */
import * as vscode from 'vscode';
import { closedFolds, shortened, type FoldLabel, type Lines } from './foldLabels';
import type { ShownHints } from './hints';
import { isTranscript } from './languages';
import type { VisibleToolUses } from './toolUses';

export class FoldLabels implements vscode.Disposable {
  private readonly style = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: { margin: '0 0 0 1ch', color: new vscode.ThemeColor('editorInlayHint.foreground') },
  });
  private readonly decorated = new WeakSet<vscode.TextEditor>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly uses: VisibleToolUses,
    private readonly hints: ShownHints,
  ) {
    const drawAll = (uri: vscode.Uri): void => {
      vscode.window.visibleTextEditors
        .filter(({ document }) => document.uri.toString() === uri.toString())
        .forEach((editor) => { this.draw(editor); });
    };
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => { this.draw(textEditor); }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => { editors.forEach((editor) => { this.draw(editor); }); }),
      uses.onDidChange(drawAll),
      hints.onDidChange(drawAll),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(this.style, ...this.subscriptions).dispose();
  }

  private draw(editor: vscode.TextEditor): void {
    const uses = isTranscript(editor.document) && isWanted() ? this.uses.of(editor.document) : undefined;
    if (uses === undefined) {
      this.show(editor, []);
      return;
    }
    const visible: Lines[] = editor.visibleRanges.map(({ start, end }) => ({ start: start.line, end: end.line }));
    const labels = closedFolds(uses, visible, editor.document.lineCount - 1);
    const decorations = labels
      .map((label) => decoration(label, editor.document))
      .filter(({ range, text }) => text !== '' && !this.hints.say(editor.document, range.end.line, text));
    this.show(
      editor,
      decorations.map(({ range, text }) => ({ range, renderOptions: { after: { contentText: text } } })),
    );
  }

  /** Most of the time there are none, before and after. */
  private show(editor: vscode.TextEditor, decorations: vscode.DecorationOptions[]): void {
    if (decorations.length > 0 || this.decorated.has(editor)) {
      editor.setDecorations(this.style, decorations);
    }
    if (decorations.length > 0) {
      this.decorated.add(editor);
    } else {
      this.decorated.delete(editor);
    }
  }
}

function decoration(label: FoldLabel, document: vscode.TextDocument): { range: vscode.Range; text: string } {
  const { range, text } = document.lineAt(label.line);
  return { range, text: shortened(label, text) };
}

function isWanted(): boolean {
  return vscode.workspace.getConfiguration('chatls').get('editor.foldLabels', true);
}
