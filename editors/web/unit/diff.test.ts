import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Text } from '@codemirror/state';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { diffOf, editsBetween } from '../src/text/diff';

const edit = (line: number, from: number, to: number, newText: string, endLine = line): TextEdit => ({
  range: { start: { line, character: from }, end: { line: endLine, character: to } },
  newText,
});

/** The diff as text: its sign, and what differs between « and ». */
function shown(text: string, edits: TextEdit[], most?: number): string[] {
  const signs = { kept: ' ', removed: '-', added: '+', gap: '~' };
  return diffOf(Text.of(text.split('\n')), edits, most).lines.map(({ kind, number = '', text: line, from = 0, to = 0 }) => {
    const marked = to > from ? `${line.slice(0, from)}«${line.slice(from, to)}»${line.slice(to)}` : line;
    return `${signs[kind]}${number} ${marked}`;
  });
}

test('a changed word is marked in its line, with the lines around it', () => {
  assert.deepEqual(shown('one\ntwo\nthree\nfour', [edit(2, 0, 5, 'throne')]), ['~ ', ' 2 two', '-3 thr«e»e', '+ thr«on»e', ' 4 four']);
});

test('an inserted line stands alone, also where the line behind it changes', () => {
  assert.deepEqual(shown('a\nb', [edit(1, 0, 0, 'new\n')]), [' 1 a', '+ new', ' 2 b']);
  const edits = [edit(1, 0, 0, 'something else\n'), edit(1, 7, 9, 'u9')];
  assert.deepEqual(shown('a\nparent u1, text', edits), [' 1 a', '+ something else', '-2 parent u«1», text', '+ parent u«9», text']);
});

test('removed lines are numbered', () => {
  assert.deepEqual(shown('a\nb\nc\nd', [edit(1, 0, 0, '', 3)]), [' 1 a', '-2 b', '-3 c', ' 4 d']);
});

test('of long lines only what is beside the difference is shown', () => {
  const line = `${'x'.repeat(1000)}OLD${'y'.repeat(1000)}`;
  const [removed = '', added = ''] = shown(line, [edit(0, 1000, 1003, 'NEW')]);
  assert.match(removed, /^-1 …x{80}«OLD»y{80}…$/);
  assert.match(added, /^\+ …x{80}«NEW»y{80}…$/);
});

test('edits are read in any order, and of many places the rest is counted', () => {
  const text = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
  const edits = [40, 10, 20].map((line) => edit(line, 0, 4, 'row'));
  const { lines, left } = diffOf(Text.of(text.split('\n')), edits, 2);
  assert.equal(left, 1);
  assert.deepEqual(lines.filter(({ kind }) => kind === 'removed').map(({ number }) => number), [11, 21]);
});

test('edits between two texts replace the lines that differ', () => {
  const edits = editsBetween(Text.of(['a', 'b', 'c']), Text.of(['a', 'x', 'c']));
  assert.deepEqual(edits, [edit(1, 0, 1, 'x')]);
});
