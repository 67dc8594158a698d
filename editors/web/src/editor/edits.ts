/** Edits of the server as changes of the editor. */
import { LSPPlugin } from '@codemirror/lsp-client';
import { ChangeSet, type Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Position, Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';

/** The offset of a position; of one that does not exist, the nearest. */
export function offsetOf(text: Text, { line, character }: Position): number {
  if (line >= text.lines) {
    return text.length;
  }
  const { from, to } = text.line(line + 1);
  return Math.min(from + character, to);
}

export function positionOf(text: Text, offset: number): Position {
  const { number, from } = text.lineAt(offset);
  return { line: number - 1, character: offset - from };
}

/** A range of the text that the server has, in the text of the editor. */
export function placeOf(view: EditorView, { start, end }: Range): { from: number; to: number } {
  const plugin = LSPPlugin.get(view);
  const text = plugin?.syncedDoc ?? view.state.doc;
  const map = (position: Position, side: -1 | 1): number => {
    const offset = offsetOf(text, position);
    return plugin?.unsyncedChanges.mapPos(offset, side) ?? offset;
  };
  const from = map(start, 1);
  return { from, to: Math.max(from, map(end, -1)) };
}

/** Makes edits of the text that the server has. What was typed meanwhile stays. */
export function apply(view: EditorView, edits: readonly TextEdit[]): void {
  const plugin = LSPPlugin.get(view);
  const text = plugin?.syncedDoc ?? view.state.doc;
  const changes = ChangeSet.of(
    edits.map(({ range, newText }) => ({ from: offsetOf(text, range.start), to: offsetOf(text, range.end), insert: newText })),
    text.length,
  );
  view.dispatch({ changes: plugin ? changes.map(plugin.unsyncedChanges) : changes, userEvent: 'input.server' });
}

/** The edits of one document. */
export function editsOf({ changes, documentChanges }: WorkspaceEdit, uri: string): TextEdit[] {
  const listed = documentChanges?.flatMap((change) => ('edits' in change && change.textDocument.uri === uri ? change.edits : []));
  return (listed as TextEdit[] | undefined) ?? changes?.[uri] ?? [];
}
