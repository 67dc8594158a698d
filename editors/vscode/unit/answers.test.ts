import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areButtons } from '../src/answers';

test('short answers that say what is done are buttons', () => {
  assert.ok(areButtons(['Run']));
  assert.ok(areButtons(['Agree', 'Show Script']));
  assert.ok(areButtons(['Run', 'Always Allow This Tool']));
  assert.ok(!areButtons(['One', 'Two', 'Three']));
  assert.ok(!areButtons(['An answer that does not fit']));
});

test('folders are chosen in a list, however short their paths are', () => {
  for (const folder of ['/w', '~/chats', '~', './a', 'C:\\chats', '\\\\server\\a']) {
    assert.ok(!areButtons([folder]), folder);
    assert.ok(!areButtons([folder, '/other']), folder);
  }
});
