// node scripts/serve.mjs PAGE FILE: serves the page to this machine alone, and prints an address that opens FILE in it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const [page, file] = process.argv.slice(2);
const { fragmentOf, LONGEST_LINK } = await source('../src/text/link.ts');
const fragment = await fragmentOf({ name: path.basename(file), text: readFileSync(file, 'utf8') });
const isShort = fragment.length <= LONGEST_LINK;
const html = readFileSync(page);

const server = createServer((request, response) => {
  const isPage = request.url === '/';
  response.writeHead(isPage ? 200 : 404, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'text/plain' });
  response.end(isPage ? html : 'There is only /.\n');
});
server.listen(0, '127.0.0.1', () => {
  console.log(`The page is at http://127.0.0.1:${server.address().port}/${isShort ? fragment : ''}`);
  console.log(isShort ? 'Ctrl-C here ends it.' : `Drop ${file} onto it. Ctrl-C here ends it.`);
});

/** A module of the page that imports no other. */
async function source(name) {
  const { transformSync } = createRequire(new URL('../../vscode/package.json', import.meta.url))('esbuild');
  const { code } = transformSync(readFileSync(new URL(name, import.meta.url), 'utf8'), { loader: 'ts' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
