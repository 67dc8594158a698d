/** The problems that the server found, among those of others. */
import * as vscode from 'vscode';

/** Those of a document, in the order of the text. */
export function problemsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'chatls');
  return ours.sort((one, other) => one.range.start.compareTo(other.range.start));
}
