/** Folds and unfolds what tools did. */
import * as vscode from 'vscode';
import { foldables, type Lines } from '../foldLabels';
import type { ToolUses } from '../protocol';
import type { VisibleToolUses } from '../toolUses';

/** Batches, and the calls that stand alone. */
export async function foldBatches(editor: vscode.TextEditor, uses: VisibleToolUses): Promise<void> {
  await foldEach(editor, uses, 'fold', (known) => ({
    ...known,
    toolUses: known.toolUses.filter(({ batch }) => batch === undefined),
  }));
}

/** Calls, and not their batches. */
export async function foldCalls(editor: vscode.TextEditor, uses: VisibleToolUses): Promise<void> {
  await foldEach(editor, uses, 'fold', (known) => ({ ...known, batches: [] }));
}

export async function unfoldAll(editor: vscode.TextEditor, uses: VisibleToolUses): Promise<void> {
  await foldEach(editor, uses, 'unfold', (known) => known);
}

async function foldEach(
  editor: vscode.TextEditor,
  uses: VisibleToolUses,
  what: 'fold' | 'unfold',
  only: (known: ToolUses) => ToolUses,
): Promise<void> {
  const known = await uses.fresh(editor.document);
  const folds = await foldsOf(editor.document);
  const wanted = known === undefined ? [] : foldables(only(known));
  const selectionLines = wanted.filter((fold) => isAmong(folds, fold)).map(({ start }) => start);
  if (selectionLines.length === 0) {
    void vscode.window.showInformationMessage('There is no tool call in this document that takes more than one line.');
    return;
  }
  // With these, exactly the fold that begins there, whatever its state.
  await vscode.commands.executeCommand(`editor.${what}`, { levels: 1, direction: 'down', selectionLines });
}

/** Where the folds of a document end, by their first lines. The editor has at most some thousand. */
async function foldsOf(document: vscode.TextDocument): Promise<Map<number, number>> {
  const found = await vscode.commands.executeCommand<vscode.FoldingRange[] | undefined>(
    'vscode.executeFoldingRangeProvider',
    document.uri,
  );
  return new Map((found ?? []).map(({ start, end }) => [start, end]));
}

/** Whether there is that very fold: a message that begins on the line of a call folds instead of it. */
function isAmong(folds: Map<number, number>, { start, end }: Lines): boolean {
  return Math.abs((folds.get(start) ?? Infinity) - end) <= 1;
}
