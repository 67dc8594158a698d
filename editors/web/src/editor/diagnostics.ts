/** The diagnostics of the server in the editor. */
import { setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { placeOf } from './edits';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

export function severityOf({ severity }: Diagnostic): Severity {
  return SEVERITIES[(severity ?? 1) - 1] ?? 'error';
}

/** The message of a diagnostic. */
export function wordsOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

/** Those that are shown as problems, the worst first and then in order. */
export function problemsOf(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const problems = diagnostics.filter(({ severity }) => severity !== 4);
  return problems.sort((one, other) => (one.severity ?? 1) - (other.severity ?? 1) || one.range.start.line - other.range.start.line);
}

/** Marks the text; `render` draws a diagnostic that the pointer or the cursor is on. */
export function showDiagnostics(view: EditorView, diagnostics: readonly Diagnostic[], render: (diagnostic: Diagnostic) => Node): void {
  const marks = diagnostics.map((diagnostic): Mark => ({
    ...placeOf(view, diagnostic.range),
    severity: severityOf(diagnostic),
    message: wordsOf(diagnostic),
    renderMessage: () => render(diagnostic),
  }));
  view.dispatch(setDiagnostics(view.state, marks));
}
