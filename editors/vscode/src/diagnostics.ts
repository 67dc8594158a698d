/** The problems that the server found, among those of others. */
import * as vscode from 'vscode';

/** Those of a document, in the order of the text; hints are none. */
export function problemsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  const ours = vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity }) => source === 'chatls' && severity !== vscode.DiagnosticSeverity.Hint);
  return ours.sort((one, other) => one.range.start.compareTo(other.range.start));
}

/** How many errors and warnings there are: what the editor counts, too. */
export function countProblems(uri: vscode.Uri): number {
  return problemsOf(uri).filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Information).length;
}
