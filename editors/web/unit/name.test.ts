import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { distinct, nameOf } from '../src/text/name';
import { extensionOf, renamed, sizeOf } from '../src/text/save';

/** Of the page: the tests run in its folder. */
const SAMPLES = '../../samples';

test('each sample gets a name with its own ending', () => {
  const names = readdirSync(SAMPLES);
  assert.ok(names.length > 10);
  for (const name of names) {
    const expected = path.extname(name).replace('.ndjson', '.jsonl');
    assert.equal(path.extname(nameOf(readFileSync(path.join(SAMPLES, name), 'utf8'))), expected, name);
  }
});

test('one line of JSON is a document, several are a log', () => {
  assert.equal(nameOf('{"messages":[]}'), 'pasted.json');
  assert.equal(nameOf('{"messages":[]}\n'), 'pasted.json');
  assert.equal(nameOf('{"a":1}\n{"b":2}'), 'pasted.jsonl');
  assert.equal(nameOf('{\n"a":1}'), 'pasted.json');
});

test('names of copies keep their endings', () => {
  assert.equal(renamed('a.chat.md', extensionOf('a.chat.md'), '-repaired'), 'a-repaired.chat.md');
  assert.equal(renamed('a.b.jsonl', '.html'), 'a.b.html');
  assert.equal(renamed('noend', extensionOf('noend'), '-x'), 'noend-x');
});

test('documents of one name are numbered', () => {
  assert.equal(distinct('a.jsonl', []), 'a.jsonl');
  assert.equal(distinct('a.chat.md', ['a.chat.md', 'a-2.chat.md']), 'a-3.chat.md');
  assert.equal(distinct('noend', ['noend']), 'noend-2');
});

test('sizes are short', () => {
  assert.deepEqual([0, 999, 1500, 40_000_000, 123_456_789].map(sizeOf), ['0 bytes', '999 bytes', '1.5 kB', '40.0 MB', '123 MB']);
});
