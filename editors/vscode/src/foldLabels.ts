/** Which folds are closed, and what they hide. */
import type { ToolUses } from './protocol';

/** Lines, from 0, both included. */
export interface Lines {
  start: number;
  end: number;
}

/** What can be folded. */
export type Fold = Lines & Omit<FoldLabel, 'line'>;

export interface FoldLabel {
  /** The line that stays visible, from 0. */
  line: number;
  label: string;
  /** The tool, where the fold is a single call. */
  toolName?: string;
}

/** Those of documents that have not changed: they are asked for whenever a document scrolls. */
const KNOWN = new WeakMap<ToolUses, Fold[]>();

/** What can be folded: batches, and the tool uses that stand alone or are shown in an open batch. */
export function foldables(uses: ToolUses): readonly Fold[] {
  const folds = KNOWN.get(uses) ?? find(uses);
  KNOWN.set(uses, folds);
  return folds;
}

function find({ batches, toolUses }: ToolUses): Fold[] {
  const folds = [...batches, ...toolUses].map(({ range, ...fold }) => ({
    label: fold.label,
    ...('toolName' in fold && { toolName: fold.toolName }),
    start: range.start.line,
    // A range that ends at the start of a line does not take it.
    end: range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line,
  }));
  const starts = new Set<number>();
  return folds.filter(({ start, end }) => {
    // Of two on one line, the batch folds; it comes first.
    const isFold = end > start && !starts.has(start);
    starts.add(start);
    return isFold;
  });
}

/**
 * The labels of the folds that are closed. `visible` are the lines on the screen, in parts where something is folded
 * in between; the document ends with the line `last`.
 */
export function closedFolds(uses: ToolUses, visible: readonly Lines[], last: number): FoldLabel[] {
  // What is below each line where a part of the screen ends.
  const below = new Map(visible.map((part, at) => [part.end, visible[at + 1]]));
  return foldables(uses).flatMap(({ start, end, ...fold }) => {
    if (!below.has(start)) {
      return [];
    }
    const next = below.get(start);
    // At the lower end of the screen nothing tells a fold from what is scrolled away, unless the document ends.
    const isClosed = next === undefined ? end >= last : next.start >= end;
    return isClosed ? [{ line: start, ...fold }] : [];
  });
}

/** What is added to the line `text` that stays visible: of a call that it names already, only what came of it. */
export function shortened({ label, toolName }: FoldLabel, text: string): string {
  const result = / (?:→|✗|⏳).*$/u.exec(label.slice(label.indexOf(')') + 1));
  return toolName !== undefined && toolName !== '' && text.includes(toolName) ? (result?.[0].trim() ?? '') : label;
}
