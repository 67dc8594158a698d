import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsForServer } from '../src/settings';

const check = (inspected: object | undefined, expected: object): void => {
  assert.deepEqual(settingsForServer(inspected), expected);
};

test('defaults are not sent', () => {
  check(undefined, {});
  check({ defaultValue: { protocol: 'auto', lint: { secret: 'warning' }, tools: [] } }, {});
});

test('what is set is sent, the nearest of it', () => {
  check({ defaultValue: { protocol: 'auto' }, globalValue: { protocol: 'v5', tools: ['a.json'] } }, { protocol: 'v5', tools: ['a.json'] });
  check(
    {
      globalValue: { tools: ['a.json'], lint: { secret: 'off', truncated: 'off' } },
      workspaceValue: { lint: { secret: 'error' } },
      workspaceFolderValue: { tools: ['b.json'] },
    },
    { tools: ['b.json'], lint: { secret: 'error', truncated: 'off' } },
  );
});

test('what is set to a default, or to nothing, is sent all the same', () => {
  check({ globalValue: { protocol: 'auto', tools: [], hints: { batch: false } } }, { protocol: 'auto', tools: [], hints: { batch: false } });
});

test("the extension's own settings, nulls and empty tables are not", () => {
  check({ globalValue: { path: '/x', logLevel: 'debug', trace: { server: 'verbose' }, editor: { foldLabels: false } } }, {});
  check({ globalValue: { protocol: null, lint: { secret: null }, format: {} }, workspaceValue: null }, {});
});
