/** Navigation between calls, between problems, and to the expanded form of a batch. */
import * as vscode from 'vscode';
import { HoverRequest } from 'vscode-languageclient/node';
import { MarkupContent, type Position } from 'vscode-languageserver-protocol';
import { goTo, inform, problemsOf, toRange } from '../common';
import type { Server } from '../server';
import type { VisibleToolUses } from '../toolUses';

/** The scheme of expanded batches, which are the queries of their URIs. */
const SCHEME = 'chatls-batch';

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

export function registerBatches(context: vscode.ExtensionContext): void {
  const provideTextDocumentContent = ({ query }: vscode.Uri): string => query;
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent }));
}

/** Shows the expanded batch at the cursor. */
export async function showBatchAtCursor(editor: vscode.TextEditor, server: Server, uses: VisibleToolUses): Promise<void> {
  const batch = await uses.batchAt(editor);
  if (batch === undefined) {
    inform('There is no batch of tool calls at the cursor.');
  } else {
    await showBatchAt(editor, server, batch.range.start);
  }
}

/**
 * Shows a batch expanded, in a view between the lines. A hover would be easier to close than to open: it does not stay when
 * it comes to lie below the mouse that chose the command, and moves away from there as it grows.
 */
export async function showBatchAt(editor: vscode.TextEditor, server: Server, start: Position): Promise<void> {
  const { document, viewColumn = vscode.ViewColumn.Active } = editor;
  const place = toRange({ start, end: start });
  const client = server.client();
  const at = client?.code2ProtocolConverter.asTextDocumentPositionParams(document, place.start);
  const contents = at && (await client?.sendRequest(HoverRequest.type, at))?.contents;
  const drawn = MarkupContent.is(contents) ? firstCode(contents.value) : undefined;
  if (drawn === undefined) {
    inform('There is no batch of tool calls here any more.');
    return;
  }
  const found = new vscode.Location(vscode.Uri.from({ scheme: SCHEME, path: '/Expanded Batch', query: drawn }), new vscode.Position(0, 0));
  goTo(await vscode.window.showTextDocument(document, { viewColumn }), place);
  await vscode.commands.executeCommand('editor.action.peekLocations', document.uri, place.start, [found], 'peek');
}

/** The text of the first block of code, which is that of the batch: others are of a single call. */
function firstCode(markdown: string): string | undefined {
  return /^(`{3,})\n([^]*?)\n\1$/m.exec(markdown)?.[2];
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
