import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../src/protocol';
import { orderedByAgent } from '../src/sessionOrder';

test('sessions are grouped by agent, the agent with the newest one first', () => {
  const session = (agent: string, id: string): Session => ({ agent, id, path: id, title: null, folder: null, changed: '', calls: null, failed: null });
  const grouped = orderedByAgent([session('codex', '3'), session('claude', '2'), session('codex', '1')]);
  assert.deepEqual(grouped.map(({ agent, sessions }) => [agent, sessions.map(({ id }) => id)]), [['codex', ['3', '1']], ['claude', ['2']]]);
});
