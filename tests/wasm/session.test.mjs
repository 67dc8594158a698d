// chatls.wasm by the functions of its npm package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Chatls, ChatlsError } from '../../editors/packages/npm/chatls-wasm/chatls.js';

const wasm = await WebAssembly.compile(readFileSync(process.env.CHATLS_WASM));
const sample = (name) => readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');

test('it imports nothing', () => {
  assert.deepEqual(WebAssembly.Module.imports(wasm), []);
});

test('a document is checked, fixed and edited', async () => {
  const chatls = await Chatls.start(wasm);
  const document = chatls.open('Hi.\n\n```tool\n{"toolName": "x" "input": {}}\n```\n', { name: 'a.chat.md' });
  const [found, ...others] = document.diagnostics();
  assert.deepEqual(others, []);
  assert.equal(found.code, 'invalid-json');
  const [fix] = document.fixes(found);
  assert.equal(fix.title, 'Insert the comma');
  document.edit(fix.edits.map(({ range, newText }) => ({ range, text: newText })));
  assert.deepEqual(document.diagnostics().map(({ code }) => code), []);
  const [call] = document.calls();
  assert.equal(call.toolName, 'x');
  assert.deepEqual(call.input, {});
  document.close();
  assert.throws(() => document.calls(), ChatlsError);
});

test('a session is shown, repaired, converted and redacted', async () => {
  const chatls = await Chatls.start(wasm);
  const text = sample('session.jsonl').replaceAll('Does the build pass?', 'Mail jane.roe@roe-labs.io?');
  const lines = text.trimEnd().split('\n');
  const cut = chatls.open(lines.filter((line) => !line.includes('"tool_result"')).join('\n'), { name: 's.jsonl' });
  const { changes, edits } = cut.repair();
  assert.notDeepEqual(changes, []);
  assert.notDeepEqual(edits, []);
  const document = chatls.open(text);
  assert.equal(document.view()[0].role, 'user');
  assert.equal(document.statistics().calls, document.calls().length);
  assert.equal(JSON.parse(document.convert('openai').text).messages[0].role, 'user');
  assert.throws(() => document.convert('latin'), { name: 'ChatlsError', code: -32602 });
  const { text: copy, counts } = document.redact();
  assert.doesNotMatch(copy, /jane|roe/);
  assert.match(counts, /mail address/);
  assert.match(document.export('html'), /^<!doctype html>/);
});

test('settings and files of the client apply', async () => {
  const chatls = await Chatls.start(wasm);
  const document = chatls.open('```tool\n{"toolCallId": "1", "toolName": "grep", "input": {}}\n```\n', { name: 'a.chat.md' });
  const codes = () => document.diagnostics().map(({ code }) => code);
  assert.deepEqual(codes(), []);
  const files = (toml, tools) => chatls.notify('chatls/files', {
    files: [{ uri: 'file:///chatls.toml', text: toml }, { uri: 'file:///tools.json', text: tools }],
  });
  files('tools = ["tools.json"]', JSON.stringify([{ name: 'read', inputSchema: { type: 'object' } }]));
  assert.deepEqual(codes(), ['unknown-tool']);
  files('tools = ["tools.json"]\nlint = { unknown-tool = "off" }', '[{"name": "read"}]');
  assert.deepEqual(codes(), []);
  files(null, null);
  assert.deepEqual(codes(), []);
});

test('wanted files have valid URIs', async () => {
  const chatls = await Chatls.start(wasm, { initializationOptions: { files: true } });
  const textDocument = { uri: 'file:///100%25/a%5Cb%20%3F/a.chat.md', languageId: 'markdown', version: 1, text: '' };
  const sent = chatls.send({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument } });
  const { uris } = sent.find(({ method }) => method === 'chatls/filesWanted').params;
  assert.ok(uris.map(decodeURIComponent).includes('file:///100%/a\\b ?/chatls.toml'), uris.join());
});

test('a command asks its client, and goes on with the answers', async () => {
  const capabilities = { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } };
  const chatls = await Chatls.start(wasm, { capabilities });
  const document = chatls.open(sample('fence.chat.md'), { name: 'a.chat.md' });
  const command = { command: 'chatls.convert', arguments: [{ uri: document.uri, scope: 'document' }] };
  const [question, ...others] = chatls.send({ jsonrpc: '2.0', id: 'c', method: 'workspace/executeCommand', params: command });
  assert.deepEqual(others, []);
  assert.equal(question.method, 'window/showMessageRequest');
  const { title } = question.params.actions.find(({ title }) => title.includes('tag'));
  let sent = chatls.send({ jsonrpc: '2.0', id: question.id, result: { title } });
  // The losses of this conversion.
  while (sent[0].method === 'window/showMessageRequest') {
    sent = chatls.send({ jsonrpc: '2.0', id: sent[0].id, result: sent[0].params.actions[0] });
  }
  assert.equal(sent[0].method, 'workspace/applyEdit');
  assert.match(JSON.stringify(sent[0].params.edit), /<tool/);
  sent = chatls.send({ jsonrpc: '2.0', id: sent[0].id, result: { applied: false, failureReason: 'read-only' } });
  assert.deepEqual(sent.map(({ id }) => id), ['c']);
  assert.match(sent[0].error.message, /read-only/);
});

test('folders of the workspace come and go', async () => {
  const folder = (uri) => ({ uri, name: uri });
  const chatls = await Chatls.start(wasm, { workspaceFolders: [folder('file:///1')] });
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
  chatls.notify('chatls/files', {
    files: [
      { uri: 'file:///chatls.toml', text: 'tools = ["tools.json"]' },
      { uri: 'file:///tools.json', text: JSON.stringify(tools) },
    ],
  });
  const document = chatls.open('```tool\n{"toolCallId": "1", "toolName": "grep", "input": {}}\n```\n', { name: 'a.chat.md' });
  const codes = () => document.diagnostics().map(({ code }) => code);
  assert.deepEqual(codes(), []);
  const change = (added, removed) => chatls.notify('workspace/didChangeWorkspaceFolders', { event: { added, removed } });
  change([folder('file:///')], [folder('file:///1/')]);
  assert.deepEqual(codes(), ['unknown-tool']);
  change([folder('file:///1')], [folder('file:///')]);
  assert.deepEqual(codes(), []);
});

test('requests are refused out of their phase', async () => {
  const chatls = await Chatls.load(wasm);
  const code = (method) => chatls.send({ jsonrpc: '2.0', id: 1, method, params: {} })[0].error?.code;
  assert.equal(code('shutdown'), -32002);
  assert.equal(code('initialize'), undefined);
  assert.equal(code('initialize'), -32600);
  assert.equal(code('shutdown'), undefined);
  assert.equal(code('shutdown'), -32600);
  assert.equal(code('textDocument/hover'), -32600);
});

test('initialize without params is refused, and may follow with them', async () => {
  const chatls = await Chatls.load(wasm);
  const answer = (message) => chatls.send({ jsonrpc: '2.0', id: 1, method: 'initialize', ...message })[0];
  for (const message of [{}, { params: null }, { params: [] }]) {
    assert.equal(answer(message).error?.code, -32602);
    assert.match(answer(message).error.message, /must be an object/);
  }
  assert.ok(answer({ params: {} }).result.capabilities);
});

test('messages that are none are refused', async () => {
  const chatls = await Chatls.start(wasm);
  assert.equal(chatls.send([])[0].error.code, -32600);
  assert.equal(chatls.send({ jsonrpc: '2.0', id: 7, method: 'textDocument/none' })[0].error.code, -32601);
  assert.throws(() => chatls.request('textDocument/hover', { textDocument: { uri: 'file:///none' }, position: { line: 0, character: 0 } }), /not open/);
  assert.throws(() => chatls.request('workspace/symbol', { query: '' }), { code: -32601 });
});
