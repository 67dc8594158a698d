// CHATLS_OTHER, which is chatls.wasm or a program for another platform, answers the same as CHATLS,
// the program of this machine, for all samples and the folders in CHATLS_FOLDERS: each request on
// whole documents, and completion and hover at many places.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { end, home, library, program } from './servers.mjs';

const samples = new URL('../../samples', import.meta.url).pathname;
const folders = [samples, ...(process.env.CHATLS_FOLDERS ?? '').split(':').filter((folder) => folder !== '')];
const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((file) => statSync(file).isFile() && statSync(file).size < 4_000_000);

after(end);

const other = process.env.CHATLS_OTHER;
const servers = [await program(process.env.CHATLS), await (other.endsWith('.wasm') ? library : program)(other)];
const notify = (method, params) => servers.forEach((server) => server.notify(method, params));

let count = 0;
async function same(method, params) {
  count += 1;
  const message = { id: `${count}`, method, params };
  const [here, there] = await Promise.all(servers.map((server) => server.ask(message)));
  // Each server numbers its own results.
  delete here.result?.resultId;
  delete there.result?.resultId;
  // Folds and others may be long: the first difference says enough.
  if (JSON.stringify(here) !== JSON.stringify(there)) {
    assert.deepEqual(there, here, method);
  }
  return here.result;
}

for (const file of files) {
  test(file, async () => {
    const text = readFileSync(file, 'utf8');
    const uri = `file://${home}/${encodeURIComponent(basename(file))}`;
    const textDocument = { uri };
    const opened = { textDocument: { uri, languageId: 'plaintext', version: 1, text } };
    notify('textDocument/didOpen', opened);
    const { items } = await same('textDocument/diagnostic', { textDocument });
    for (const method of [
      'textDocument/foldingRange', 'textDocument/documentSymbol', 'textDocument/semanticTokens/full',
      'textDocument/codeLens', 'textDocument/formatting', 'chatls/toolUses', 'chatls/transcript', 'chatls/calls',
      'chatls/statistics', 'chatls/repair', 'chatls/redacted', 'chatls/events',
    ]) {
      await same(method, { textDocument, options: { tabSize: 2, insertSpaces: true } });
    }
    for (const format of ['html', 'markdown']) {
      await same('chatls/export', { textDocument, format });
    }
    for (const to of ['openai', 'anthropic', 'ai-sdk', 'responses', 'sharegpt', 'fence', 'marker', 'hermes']) {
      await same('chatls/conversation', { textDocument, to });
    }
    for (const diagnostic of items.slice(0, 20)) {
      const { range } = diagnostic;
      const actions = await same('textDocument/codeAction', { textDocument, range, context: { diagnostics: [diagnostic] } });
      for (const action of actions.filter(({ edit, data }) => edit === undefined && data !== undefined)) {
        await same('codeAction/resolve', action);
      }
    }
    const lines = text.split('\n');
    const step = Math.ceil(lines.length / 40);
    for (let line = 0; line < lines.length; line += step) {
      for (const character of new Set([0, lines[line].length >> 1, Math.min(lines[line].length, 10_000)])) {
        const place = { textDocument, position: { line, character } };
        await same('textDocument/hover', place);
        await same('textDocument/completion', place);
      }
    }
    notify('textDocument/didClose', { textDocument });
  });
}

test('there was something to compare', () => {
  assert.ok(files.length > 10 && count > 1000, `${files.length} files, ${count} requests`);
});
