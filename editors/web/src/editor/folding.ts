/**
 * Folds of the server, with their labels. Only those of the visible lines are known: there may be
 * thousands.
 */
import { codeFolding, foldedRanges, foldEffect, foldGutter, foldService } from '@codemirror/language';
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { FoldingRange } from 'vscode-languageserver-protocol';

export interface FoldingRanges {
  version: number | null;
  ranges: FoldingRange[];
}

/** By the number of their first line. */
type Folds = ReadonlyMap<number, FoldingRange>;

const NONE: Folds = new Map();
const setFolds = StateEffect.define<Folds>();

const known = StateField.define<Folds>({
  create: () => NONE,
  update(folds, transaction) {
    const fresh = transaction.effects.find((effect) => effect.is(setFolds));
    if (fresh !== undefined) {
      return fresh.value;
    }
    // Once a line has come or gone they are out of date, until the server has answered.
    return transaction.startState.doc.lines === transaction.newDoc.lines ? folds : NONE;
  },
});

export const folding: Extension = [
  known,
  foldService.of((state, start) => rangeOf(state, state.field(known).get(state.doc.lineAt(start).number - 1))),
  codeFolding({
    preparePlaceholder: (state, { from }) => labelAt(state, from),
    placeholderDOM: (_view, unfold, label: string) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'cm-foldPlaceholder';
      button.textContent = label;
      button.title = 'Unfold';
      button.addEventListener('click', unfold);
      return button;
    },
  }),
  foldGutter({ openText: '▾', closedText: '▸' }),
];

export function showFolds(view: EditorView, ranges: readonly FoldingRange[]): void {
  view.dispatch({ effects: setFolds.of(new Map(ranges.map((range) => [range.startLine, range]))) });
}

/** True if something is folded. */
export function hasFolds({ state }: EditorView): boolean {
  return foldedRanges(state).size > 0;
}

/** Folds each batch of tool calls. */
export function foldCalls(view: EditorView, ranges: readonly FoldingRange[]): void {
  const { state } = view;
  const effects = ranges.filter(isOfCalls).flatMap((range) => {
    const place = rangeOf(state, range);
    return place === null ? [] : [foldEffect.of(place)];
  });
  showFolds(view, ranges);
  view.dispatch({ effects });
}

function isOfCalls({ collapsedText }: FoldingRange): boolean {
  return collapsedText?.startsWith('🔧') ?? false;
}

/** A batch becomes one line, its label. Others keep their first line. */
function rangeOf({ doc }: EditorState, range: FoldingRange | undefined): { from: number; to: number } | null {
  if (range === undefined || range.endLine >= doc.lines) {
    return null;
  }
  const first = doc.line(range.startLine + 1);
  return { from: isOfCalls(range) ? first.from : first.to, to: doc.line(range.endLine + 1).to };
}

function labelAt(state: EditorState, from: number): string {
  const range = state.field(known).get(state.doc.lineAt(from).number - 1);
  return range !== undefined && isOfCalls(range) ? (range.collapsedText ?? '…') : '…';
}
