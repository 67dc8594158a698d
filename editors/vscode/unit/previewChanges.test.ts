import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChange, changeOf } from '../src/preview/changes';
import type { Message } from '../src/protocol';

/** A transcript of messages of so many lines, each with a text and a tool call. */
function transcript(...messages: [text: string, lines: number][]): Message[] {
  let line = 0;
  return messages.map(([text, lines]) => {
    const range = () => ({ start: { line, character: 0 }, end: { line: line + lines, character: 0 } });
    const entry = { toolName: 'a', call: `a(${text})`, status: 'done' as const, result: '', inline: true, more: null, range: range() };
    const message: Message = {
      role: 'user',
      name: null,
      range: range(),
      items: [
        { kind: 'text', text, range: range() },
        { kind: 'tools', label: text, failed: 0, pending: 0, range: range(), entries: [entry] },
      ],
    };
    line += lines;
    return message;
  });
}

function sent(old: Message[], fresh: Message[]): number {
  const change = changeOf(structuredClone(old), structuredClone(fresh));
  assert.deepEqual(applyChange(structuredClone(old), structuredClone(change)), fresh);
  return change.messages.length;
}

test('a keystroke sends one message', () => {
  assert.equal(sent(transcript(['a', 2], ['b', 2], ['c', 2]), transcript(['a', 2], ['bx', 2], ['c', 2])), 1);
});

test('a new line moves what is behind it', () => {
  assert.equal(sent(transcript(['a', 2], ['b', 2], ['c', 2], ['d', 1]), transcript(['a', 2], ['b', 3], ['c', 2], ['d', 1])), 1);
});

test('messages come and go', () => {
  const [none, two, three] = [transcript(), transcript(['a', 1], ['b', 1]), transcript(['a', 1], ['x', 5], ['b', 1])];
  assert.equal(sent(none, three), 3);
  assert.equal(sent(two, three), 1);
  assert.equal(sent(three, two), 0);
  assert.equal(sent(three, none), 0);
  assert.equal(sent(three, three), 0);
});

test('messages that look alike are not mixed up', () => {
  sent(transcript(['a', 1], ['a', 1], ['a', 1]), transcript(['a', 1], ['a', 1]));
  sent(transcript(['a', 1], ['a', 1]), transcript(['a', 1], ['a', 2], ['a', 1], ['a', 1]));
});
