/** The lines that edits change, with those around them, as a diff to read. */
import type { Text } from '@codemirror/state';
import type { TextEdit } from 'vscode-languageserver-protocol';

export interface DiffLine {
  kind: 'kept' | 'removed' | 'added' | 'gap';
  /** From 1, in the text before; absent for added lines. */
  number?: number;
  text: string;
  /** The part of the text that differs. */
  from?: number;
  to?: number;
}

/** Characters that are shown beside a difference in a long line. */
const BESIDE = 80;

/** Characters of a line that stays. */
const AROUND = 120;

/** `most`: the number of changed places after which the rest is left out. */
export function diffOf(text: Text, edits: readonly TextEdit[], most = 100): { lines: DiffLine[]; left: number } {
  const places = placesOf(text, edits).filter(({ removed, added }) => removed.length + added.length > 0);
  const lines: DiffLine[] = [];
  let next = 1;
  for (const { first, removed, added } of places.slice(0, most)) {
    const above = first - 1;
    if (above >= next) {
      if (above > next) {
        lines.push({ kind: 'gap', text: '' });
      }
      lines.push({ kind: 'kept', number: above, text: cut(text.line(above).text, 0, AROUND) });
    }
    lines.push(...changed(first, removed, added));
    next = first + removed.length;
  }
  if (next <= text.lines && lines.length > 0) {
    lines.push({ kind: 'kept', number: next, text: cut(text.line(next).text, 0, AROUND) });
  }
  return { lines, left: Math.max(places.length - most, 0) };
}

/** The edits that replace the lines of one text by as many others. */
export function editsBetween(before: Text, after: Text): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let number = 1; number <= Math.min(before.lines, after.lines); number++) {
    const old = before.line(number).text;
    const fresh = after.line(number).text;
    if (old !== fresh) {
      const line = number - 1;
      edits.push({ range: { start: { line, character: 0 }, end: { line, character: old.length } }, newText: fresh });
    }
  }
  return edits;
}

interface Place {
  /** The number of the first changed line, from 1. */
  first: number;
  removed: string[];
  added: string[];
}

/** The changed lines of each group of edits that touch the same lines. */
function placesOf(text: Text, edits: readonly TextEdit[]): Place[] {
  const groups: TextEdit[][] = [];
  const ordered = edits.toSorted(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character);
  for (const edit of ordered) {
    const group = groups.at(-1);
    if (group !== undefined && edit.range.start.line <= lastLine(group)) {
      group.push(edit);
    } else {
      groups.push([edit]);
    }
  }
  return groups.map((group) => placeOf(text, group));
}

function lastLine(group: readonly TextEdit[]): number {
  return Math.max(...group.map(({ range }) => range.end.line));
}

function placeOf(text: Text, group: readonly TextEdit[]): Place {
  const offset = ({ line, character }: TextEdit['range']['start']): number =>
    line >= text.lines ? text.length : Math.min(text.line(line + 1).from + character, text.line(line + 1).to);
  const first = Math.min((group[0]?.range.start.line ?? 0) + 1, text.lines);
  const last = Math.min(lastLine(group) + 1, text.lines);
  const from = text.line(first).from;
  const to = text.line(last).to;
  let at = from;
  let fresh = '';
  for (const { range, newText } of group) {
    fresh += text.sliceString(at, offset(range.start)) + newText;
    at = offset(range.end);
  }
  const removed = text.sliceString(from, to).split('\n');
  const added = (fresh + text.sliceString(at, to)).split('\n');
  const head = common(removed, added, (list, index) => list[index]);
  const tail = common(removed.slice(head), added.slice(head), (list, index) => list.at(-1 - index));
  return { first: first + head, removed: removed.slice(head, removed.length - tail), added: added.slice(head, added.length - tail) };
}

/** The number of equal items, counted from one end. */
function common<T extends { length: number }>(one: T, other: T, item: (list: T, index: number) => string | undefined): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && item(one, count) === item(other, count)) {
    count++;
  }
  return count;
}

/** Each changed line stands before what it became, if that is alike. */
function changed(first: number, removed: readonly string[], added: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let at = 0;
  const remove = (end: number): void => {
    for (; at < end; at++) {
      lines.push({ kind: 'removed', number: first + at, text: cut(removed[at] ?? '', 0) });
    }
  };
  for (const text of added) {
    // Of many lines only the next one is compared.
    const end = removed.length * added.length > 10_000 ? at + 1 : removed.length;
    const match = removed.slice(at, end).findIndex((other) => isAlike(other, text));
    const old = removed[at + match];
    if (match < 0 || old === undefined) {
      lines.push({ kind: 'added', text: cut(text, 0) });
    } else {
      remove(at + match);
      lines.push({ kind: 'removed', number: first + at, ...differing(old, text) }, { kind: 'added', ...differing(text, old) });
      at++;
    }
  }
  remove(removed.length);
  return lines;
}

function isAlike(one: string, other: string): boolean {
  const [head, tail] = ends(one, other);
  return head + tail >= Math.max(one.length, other.length) / 2;
}

/** The numbers of equal characters at the start and at the end. */
function ends(one: string, other: string): [head: number, tail: number] {
  const head = common(one, other, (text, index) => text[index]);
  return [head, common(one.slice(head), other.slice(head), (text, index) => text.at(-1 - index))];
}

/** The part of a line around what differs from another one. */
function differing(text: string, other: string): Pick<DiffLine, 'text' | 'from' | 'to'> {
  const [head, tail] = ends(text, other);
  const start = Math.max(head - BESIDE, 0);
  const shown = cut(text, start, text.length - tail + BESIDE);
  const from = head - start + (start > 0 ? 1 : 0);
  return { text: shown, from: Math.min(from, shown.length), to: Math.min(from + text.length - tail - head, shown.length) };
}

/** A part of a long line, with an ellipsis where something is left out. */
function cut(text: string, from: number, to = from + 400): string {
  const end = Math.min(Math.max(to, from + AROUND), from + 1000);
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}
