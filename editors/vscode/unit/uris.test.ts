import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromServer, keyOf, toServer } from '../web/uris';

test('files of every source come back as they were', () => {
  const check = (scheme: string, authority: string, path: string, expected: string): void => {
    const uri = { scheme, authority, path, toString: () => `${scheme}://${authority}${path}` };
    const sent = toServer(uri);
    assert.equal(sent, expected);
    assert.equal(decodeURI(fromServer(sent)), uri.toString());
  };
  check('file', '', '/a/b.md', 'file:///a/b.md');
  check('vscode-vfs', 'github', '/o/r/a b.md', 'file:///vscode-vfs@github/o/r/a%20b.md');
  check('vscode-remote', '127.0.0.1:80', '/é.md', 'file:///vscode-remote@127.0.0.1%3A80/%C3%A9.md');
});

test('what the server makes of them comes back, too', () => {
  assert.equal(fromServer('file:///vscode-remote@127.0.0.1:80/o/a.md'), 'vscode-remote://127.0.0.1:80/o/a.md');
  assert.equal(fromServer('file:///a/b.md'), 'file:///a/b.md');
});

test('a file has one key, however its URI is encoded', () => {
  const check = (path: string, ofServer: string): void => {
    const uri = { scheme: 'vscode-remote', authority: '127.0.0.1:80', path, toString: () => '' };
    assert.equal(keyOf(toServer(uri)), keyOf(ofServer));
    assert.notEqual(keyOf(toServer(uri)), keyOf(ofServer.replace('chatls', 'other')));
  };
  check('/o/chatls.toml', 'file:///vscode-remote@127.0.0.1:80/o/chatls.toml');
  check('/a+b [1] 100%/é&c/chatls.toml', 'file:///vscode-remote@127.0.0.1:80/a+b%20[1]%20100%25/%C3%A9&c/chatls.toml');
});
