import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expand, findServer, type Surroundings } from '../src/lookup';

const here: Surroundings = {
  setting: '',
  extension: '/ext',
  workspace: '/project',
  home: '/home/me',
  platform: 'linux',
  env: { PATH: '/usr/bin:/opt/bin', TOOLS: '/tools' },
};

function check(change: Partial<Surroundings>, programs: string[], expected: object): void {
  assert.deepEqual(findServer({ ...here, ...change }, (file) => programs.includes(file)), expected);
}

test('the setting comes first, then the extension, then the PATH', () => {
  const all = ['/mine/chatls', '/ext/server/chatls', '/opt/bin/chatls'];
  check({ setting: '/mine/chatls' }, all, { command: '/mine/chatls', origin: 'setting' });
  check({}, all, { command: '/ext/server/chatls', origin: 'bundled' });
  check({}, ['/opt/bin/chatls'], { command: '/opt/bin/chatls', origin: 'path' });
  check({}, ['/home/me/.cargo/bin/chatls'], { command: '/home/me/.cargo/bin/chatls', origin: 'path' });
});

test('without one it says where it looked', () => {
  const problem = 'The chatls server was not found: it is not in this extension, and not on the PATH.';
  check({}, [], { problem });
  check({ env: {} }, [], { problem });
});

test('a setting that names nothing is not passed over', () => {
  const others = ['/ext/server/chatls', '/opt/bin/chatls'];
  check({ setting: '~/no/chatls' }, others, {
    problem: 'The server that the setting chatls.path names was not found: /home/me/no/chatls is not there, or cannot be run.',
  });
  check({ setting: 'chatls-next' }, others, {
    problem: 'The server that the setting chatls.path names was not found: chatls-next is not on the PATH.',
  });
  check({ setting: '${workspaceFolder}/x', workspace: undefined }, others, {
    problem: 'The setting chatls.path has a variable without a value: ${workspaceFolder}/x',
  });
});

test('settings have variables, and are relative to the workspace', () => {
  check({ setting: 'target/chatls' }, ['/project/target/chatls'], { command: '/project/target/chatls', origin: 'setting' });
  check({ setting: 'chatls-next' }, ['/opt/bin/chatls-next'], { command: '/opt/bin/chatls-next', origin: 'setting' });
  assert.equal(expand(' ~/a ', here), '/home/me/a');
  assert.equal(expand('~other/a', here), '~other/a');
  assert.equal(expand('${userHome}/${env:TOOLS}', here), '/home/me//tools');
  assert.equal(expand('${env:NONE}', here), undefined);
  assert.equal(expand('${file}', here), undefined);
});

test('on Windows programs end in .exe', () => {
  const windows = { platform: 'win32', home: 'C:\\me', extension: 'C:\\ext', env: { Path: 'C:\\bin;D:\\bin' } } as const;
  check(windows, ['C:\\ext\\server\\chatls.exe'], { command: 'C:\\ext\\server\\chatls.exe', origin: 'bundled' });
  check(windows, ['D:\\bin\\chatls.exe'], { command: 'D:\\bin\\chatls.exe', origin: 'path' });
  check({ ...windows, setting: '~\\x\\chatls' }, ['C:\\me\\x\\chatls.exe'], {
    command: 'C:\\me\\x\\chatls.exe',
    origin: 'setting',
  });
});
