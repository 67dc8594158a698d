import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, loadText } from '../src/text/load';

test('lines end as CodeMirror and the server read them, and are written as they were', async () => {
  for (const [text, lines, lineBreak] of [
    ['', 1, '\n'],
    ['a\nb\n', 3, '\n'],
    ['a\r\nb\r\n', 3, '\r\n'],
    ['a\r\nb\nc', 3, '\n'],
    ['a\rb', 2, '\n'],
  ] as const) {
    const loaded = await loadText(text);
    assert.equal(loaded.text.lines, lines, JSON.stringify(text));
    assert.equal(loaded.lineBreak, lineBreak, JSON.stringify(text));
    assert.equal(loaded.text.toString(), text.replace(/\r\n?/g, '\n'));
  }
});

test('pieces are joined where a character or a line break is cut', async () => {
  const size = 1 << 20;
  for (const start of [`${'a'.repeat(size - 1)}\r\nb`, `${'a'.repeat(size - 2)}🔧b`, `${'a'.repeat(size - 1)}\n\nb`]) {
    const text = start + 'c\n'.repeat(10);
    const read: number[] = [];
    const source = new Blob([text]);
    const loaded = await load(source, (bytes) => read.push(bytes));
    assert.equal(loaded.text.toString(), text.replace('\r\n', '\n'));
    assert.deepEqual(read, [size, source.size]);
  }
});

test('it ends early when nobody wants it any more', async () => {
  let pieces = 0;
  await load(new Blob(['a'.repeat(5 << 20)]), () => pieces++, () => pieces < 2);
  assert.equal(pieces, 2);
});
