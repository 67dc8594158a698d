#!/usr/bin/env node
// Times chatls.wasm beside the program: opening a document until its diagnostics are there. The
// first document of a server is apart, because an engine compiles while it runs.
//
//   tests/wasm/speed.mjs CHATLS CHATLS_WASM DOCUMENT...
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { end, library, program } from './servers.mjs';

const [path, wasm, ...files] = process.argv.slice(2);
const ROUNDS = 5;
const MORE = 5;

// The times of the first document and of the fastest of those after it, in milliseconds.
async function times(server, file) {
  const text = readFileSync(file, 'utf8');
  const each = [];
  for (let nth = 0; nth <= MORE; nth += 1) {
    const textDocument = { uri: `file:///${nth}/${encodeURIComponent(basename(file))}` };
    const start = performance.now();
    server.notify('textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'plaintext', version: 1, text } });
    await server.ask({ id: `${nth}`, method: 'textDocument/diagnostic', params: { textDocument } });
    each.push(performance.now() - start);
    server.notify('textDocument/didClose', { textDocument });
  }
  return [each[0], Math.min(...each.slice(1))];
}

for (const file of files) {
  const best = [[Infinity, Infinity], [Infinity, Infinity]];
  // In turns, since other work slows down both.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, start] of [[0, () => program(path)], [1, () => library(wasm)]]) {
      const found = await times(await start(), file);
      best[at] = best[at].map((least, which) => Math.min(least, found[which]));
    }
  }
  for (const [which, name] of [[0, 'first'], [1, 'after it']]) {
    const [native, browser] = best.map((found) => found[which]);
    console.log(`${basename(file)}, ${name}: ${browser.toFixed(0)} ms, program ${native.toFixed(0)} ms, ratio ${(native / browser).toFixed(2)}`);
  }
}
end();
