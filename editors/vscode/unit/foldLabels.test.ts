import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedFolds, foldables, shortened, type Lines } from '../src/foldLabels';
import type { ToolUses } from '../src/protocol';

/** Tool uses and batches as `label: first-last`. */
function uses(toolUses: string[], batches: string[] = []): ToolUses {
  const range = (written: string): { label: string; range: { start: { line: number; character: number }; end: { line: number; character: number } } } => {
    const [, label = '', start, end] = /^(.*): (\d+)-(\d+)$/.exec(written) ?? [];
    return { label, range: { start: { line: Number(start), character: 0 }, end: { line: Number(end), character: 3 } } };
  };
  return {
    version: 1,
    enabled: true,
    isTranscript: true,
    counts: { toolUses: toolUses.length, failed: 0, pending: 0, batches: batches.length },
    toolUses: toolUses.map((written) => {
      const { label, range: at } = range(written);
      return { toolName: label, label, status: 'done', dialect: 'fence', range: at, selectionRange: at };
    }),
    batches: batches.map((written) => ({ ...range(written), toolUses: 2, failed: 0, pending: 0 })),
  };
}

const lines = (...parts: [number, number][]): Lines[] => parts.map(([start, end]) => ({ start, end }));

function check(known: ToolUses, visible: Lines[], last: number, expected: [number, string][]): void {
  assert.deepEqual(closedFolds(known, visible, last).map(({ line, label }) => [line, label]), expected);
}

test('a batch is one fold, also where its first call begins on the same line', () => {
  assert.deepEqual(
    foldables(uses(['a: 2-5', 'b: 7-9', 'c: 12-12'], ['both: 2-9'])).map(({ label }) => label),
    ['both', 'b'],
  );
});

test('a range that ends where a line begins does not take that line', () => {
  const known = uses(['a: 2-3']);
  const [use] = known.toolUses;
  assert.ok(use);
  use.range.end.character = 0;
  assert.deepEqual(foldables(known), []);
});

test('open folds have no label', () => {
  check(uses(['a: 2-5', 'b: 7-9'], ['both: 2-9']), lines([0, 20]), 20, []);
});

test('closed folds have theirs', () => {
  const known = uses(['a: 2-5', 'b: 7-9', 'c: 12-15'], ['both: 2-9']);
  check(known, lines([0, 2], [10, 20]), 20, [[2, 'both']]);
  check(known, lines([0, 2], [10, 12], [16, 20]), 20, [[2, 'both'], [12, 'c']]);
  check(known, lines([0, 7], [10, 20]), 20, [[7, 'b']]);
});

test('a smaller fold that is closed on the same line shows nothing', () => {
  check(uses(['a: 2-9']), lines([0, 2], [5, 20]), 20, []);
});

test('at the end of the screen nothing is known, at the end of the document it is', () => {
  check(uses(['a: 2-9']), lines([0, 2]), 20, []);
  check(uses(['a: 2-9']), lines([0, 2]), 9, [[2, 'a']]);
  check(uses(['a: 2-9']), lines([0, 2], [10, 10]), 10, [[2, 'a']]);
});

test('of a call that the line names already only the result is added', () => {
  const done = { line: 0, label: '🔧 read_file(path=a.py) → 42 lines', toolName: 'read_file' };
  assert.equal(shortened(done, '<tool>read_file(path=a.py)'), '→ 42 lines');
  assert.equal(shortened(done, '```tool'), done.label);
  assert.equal(shortened({ ...done, label: '🔧 read_file ✗ no → such file' }, '<tool>read_file'), '✗ no → such file');
  assert.equal(shortened({ ...done, label: '🔧 read_file(path=a → b) ⏳' }, '<tool>read_file(path=a → b)'), '⏳');
  assert.equal(shortened({ line: 0, label: '🔧 2 tool calls' }, '<tool>read_file'), '🔧 2 tool calls');
});
