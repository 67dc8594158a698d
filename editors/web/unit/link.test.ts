import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf, fragmentOf } from '../src/text/link';

test('a document comes back from its link', async () => {
  for (const document of [
    { name: 'a.jsonl', text: '{"type":"user"}\n' },
    { name: 'ünïcode 🔧.chat.md', text: '**User:** 你好 \u0000 \ud83d\ude00\r\n' },
    { name: '', text: '' },
  ]) {
    const fragment = await fragmentOf(document);
    assert.match(fragment, /^#t=[\w-]+$/);
    assert.deepEqual(await documentOf(fragment), document);
  }
});

test('a session that repeats itself is short', async () => {
  const text = '{"type":"tool_result","tool_use_id":"toolu_01","content":"ok"}\n'.repeat(500);
  assert.ok((await fragmentOf({ name: 'a.jsonl', text })).length < text.length / 50);
});

test('what is no link, is cut, or has other values, is no document', async () => {
  const whole = await fragmentOf({ name: 'a', text: 'some text that is long enough to be cut in its middle' });
  for (const fragment of ['', '#', '#other', '#t=', '#t=%%%', whole.slice(0, -20)]) {
    assert.equal(await documentOf(fragment), undefined, fragment);
  }
});
