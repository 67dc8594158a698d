/** Helpers of several features. */
import * as vscode from 'vscode';
import type { Range } from 'vscode-languageserver-protocol';
import { isTranscript } from './languages';

export function baseName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

export function folderOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

/** A value after some milliseconds. */
export async function elapsed<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, value);
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows a message without waiting for its end. */
export function inform(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** A range of the protocol as one of the editor. */
export function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Moves the cursor to the start of a range, and shows the range. */
export function goTo(editor: vscode.TextEditor, range: vscode.Range): void {
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

export function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  return vscode.window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri.toString());
}

/** The active transcript; says what is missing if there is none. */
export function activeTranscript(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document && isTranscript(document)) {
    return document;
  }
  inform('Open a transcript first: a Markdown document or a stream log.');
  return undefined;
}

/** The server's diagnostics of a document, in text order, without hints. */
export function problemsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity }) => source === 'chatls' && severity !== vscode.DiagnosticSeverity.Hint)
    .sort((one, other) => one.range.start.compareTo(other.range.start));
}
