/** Large documents: what costs the editor by their length is asked for where it is visible, and after a pause. */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

/** Characters from which a document counts as large: half a megabyte is about 3,000 tool calls. */
const LARGE = 500_000;
/** Milliseconds without a change before diagnostics of a large document are asked for. */
const PAUSE = 400;
/** And the most milliseconds that they wait while changes go on. */
const PATIENCE = 3000;

export function isLarge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) >= LARGE;
}

/** The part of a document that is visible in some editor, with `margin` lines above and below. */
export function visiblePart(document: vscode.TextDocument, margin: number): vscode.Range | undefined {
  const visible = vscode.window.visibleTextEditors.filter((editor) => editor.document === document).flatMap(({ visibleRanges }) => visibleRanges);
  const [first] = visible;
  if (first === undefined) {
    return undefined;
  }
  const all = visible.reduce((one, other) => one.union(other), first);
  return document.validateRange(new vscode.Range(Math.max(0, all.start.line - margin), 0, all.end.line + margin, 0));
}

/** The client's middleware for large documents. */
export function forLargeDocuments(): Middleware {
  const pauses = new Pauses();
  return {
    // The editor asks for the tokens of what is visible, too, and goes on to where it gets no others. An error leaves
    // those as they are; an answer without tokens would take them away.
    provideDocumentSemanticTokens: (document, token, next) => {
      refuseIfLarge(document);
      return next(document, token);
    },
    provideDocumentSemanticTokensEdits: (document, previous, token, next) => {
      refuseIfLarge(document);
      return next(document, previous, token);
    },
    provideDiagnostics: async (document, previous, token, next) => {
      if (!(document instanceof vscode.Uri) && isLarge(document)) {
        await pauses.wait(document.uri.toString(), token);
      }
      return next(document, previous, token);
    },
  };
}

function refuseIfLarge(document: vscode.TextDocument): void {
  if (isLarge(document)) {
    throw new vscode.CancellationError();
  }
}

/** Waits for pauses between changes. The client cancels a wait when its document changes, and then waits again. */
class Pauses {
  /** When the first of the waits began that came to nothing, by document. */
  private readonly begun = new Map<string, number>();

  async wait(key: string, token: vscode.CancellationToken): Promise<void> {
    const now = Date.now();
    const begun = this.begun.get(key);
    if (begun === undefined) {
      this.begun.set(key, now);
      return; // The first is not put off: somebody has opened it, or has begun to type.
    }
    const left = begun + PATIENCE - now;
    const isOver = await elapsed(Math.min(PAUSE, Math.max(0, left)), token);
    if (!isOver) {
      throw new vscode.CancellationError();
    }
    this.begun.set(key, Date.now());
  }
}

/** Whether so many milliseconds go by before `token` is cancelled. */
async function elapsed(milliseconds: number, token: vscode.CancellationToken): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      cancelling.dispose();
      resolve(true);
    }, milliseconds);
    const cancelling = token.onCancellationRequested(() => {
      clearTimeout(timer);
      cancelling.dispose();
      resolve(false);
    });
  });
}
