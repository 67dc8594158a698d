/** Navigation between calls, between problems, and to the expanded form of a batch. */
import * as vscode from 'vscode';
import type { Position } from 'vscode-languageserver-protocol';
import { goTo, inform, problemsOf, toRange } from '../common';
import type { VisibleToolUses } from '../toolUses';

/** Milliseconds until the server has answered a hover. */
const ANSWER = 300;

type Direction = 'next' | 'previous';

const NONE = {
  any: 'There is no tool call in this document.',
  pending: 'No tool call in this document waits for its result.',
  failed: 'No tool call in this document failed.',
};

/** Goes to a call, or to one that is pending or has failed. */
export async function goToCall(
  editor: vscode.TextEditor,
  uses: VisibleToolUses,
  direction: Direction,
  wanted: keyof typeof NONE = 'any',
): Promise<void> {
  const calls = (await uses.fresh(editor.document))?.toolUses ?? [];
  const found = calls.filter(({ status }) => wanted === 'any' || status === wanted);
  goToNearest(editor, found.map(({ selectionRange }) => toRange(selectionRange)), direction, NONE[wanted]);
}

/** Goes to a problem of chatls; the editor's own command includes those of all programs. */
export async function goToProblem(editor: vscode.TextEditor, direction: Direction): Promise<void> {
  const ranges = problemsOf(editor.document.uri).map(({ range }) => range);
  if (goToNearest(editor, ranges, direction, 'chatls finds nothing wrong with this document.')) {
    await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
  }
}

/** Shows the expanded batch at the cursor. */
export async function showBatchAtCursor(editor: vscode.TextEditor, uses: VisibleToolUses): Promise<void> {
  const batch = await uses.batchAt(editor);
  if (batch === undefined) {
    inform('There is no batch of tool calls at the cursor.');
  } else {
    await showBatchAt(editor, batch.range.start);
  }
}

/** Shows the server's formatted hover, which a message cannot show. */
export async function showBatchAt(editor: vscode.TextEditor, start: Position): Promise<void> {
  goTo(editor, toRange({ start, end: start }));
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
  // Without the focus, it would close with the next move of the mouse that chose the command.
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'autoFocusImmediately' });
  // The answer of the server may come after the focus was given: then it is given once it is there.
  await new Promise((resolve) => setTimeout(resolve, ANSWER));
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'focusIfVisible' });
}

/** Moves the cursor to the nearest of `ranges` in that direction, continuing at the other end. */
function goToNearest(editor: vscode.TextEditor, ranges: readonly vscode.Range[], direction: Direction, none: string): boolean {
  const from = editor.selection.start;
  const sorted = [...ranges].sort((one, other) => one.start.compareTo(other.start));
  const target =
    direction === 'next'
      ? (sorted.find(({ start }) => start.isAfter(from)) ?? sorted[0])
      : (sorted.findLast(({ start }) => start.isBefore(from)) ?? sorted.at(-1));
  if (target === undefined) {
    inform(none);
    return false;
  }
  goTo(editor, target);
  return true;
}
