import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, inWords } from '../src/counts';
import type { Status, ToolUses } from '../src/protocol';

function uses(...states: Status[]): ToolUses {
  const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const toolUses = states.map((status) => ({ toolName: 'a', label: 'a', status, dialect: 'tag' as const, range: at, selectionRange: at }));
  const of = (wanted: Status): number => states.filter((status) => status === wanted).length;
  return { version: 1, enabled: true, isTranscript: true, counts: { toolUses: states.length, failed: of('failed'), pending: of('pending'), batches: 0 }, toolUses, batches: [] };
}

test('calls are counted by what became of them', () => {
  assert.deepEqual(count(uses('done', 'failed', 'pending', 'pending'), 3), { calls: 4, failed: 1, pending: 2, problems: 3 });
  assert.deepEqual(count(undefined, 0), { calls: 0, failed: 0, pending: 0, problems: 0 });
});

test('words leave out what is none', () => {
  assert.equal(inWords(count(uses(), 0)), 'no tool calls');
  assert.equal(inWords(count(uses('done'), 1)), '1 tool call · 1 problem');
  assert.equal(inWords(count(uses('failed', 'pending', 'done'), 2)), '3 tool calls · 1 failed · 1 pending · 2 problems');
});
