import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtered, toolsOf } from '../src/preview/filtering';
import type { Message, Status, ToolEntry } from '../src/protocol';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function entry(toolName: string, status: Status): ToolEntry {
  return { toolName, call: `${toolName}()`, status, result: '', inline: true, more: null, range };
}

function tools(...entries: ToolEntry[]): Message['items'][number] {
  return { kind: 'tools', label: 'label', range, failed: 0, pending: 0, entries };
}

const messages: Message[] = [
  { role: 'user', name: null, range, items: [{ kind: 'text', text: 'hello', range }] },
  {
    role: 'assistant',
    name: null,
    range,
    items: [tools(entry('read', 'done'), entry('grep', 'failed')), { kind: 'text', text: 'and', range }, tools(entry('read', 'pending'))],
  },
];

/** The calls that are drawn, and the labels above them. */
function drawn(wanted: Parameters<typeof filtered>[1]): [string, string[]][] {
  return filtered(messages, wanted).flatMap(({ items }) =>
    items.map((item): [string, string[]] => (item.kind === 'text' ? ['text', []] : [item.label, item.entries.map(({ call, status }) => `${call} ${status}`)])),
  );
}

test('only the calls of a tool are drawn', () => {
  assert.deepEqual(drawn({ tool: 'read', status: '' }), [['1 of 2 tool calls', ['read() done']], ['label', ['read() pending']]]);
  assert.deepEqual(drawn({ tool: 'none', status: '' }), []);
});

test('only the calls that failed are drawn', () => {
  assert.deepEqual(drawn({ tool: '', status: 'failed' }), [['1 of 2 tool calls', ['grep() failed']]]);
  assert.deepEqual(drawn({ tool: 'read', status: 'failed' }), []);
});

test('the tools of a transcript are offered once each', () => {
  assert.deepEqual(toolsOf(messages), ['grep', 'read']);
});
