// node scripts/serve.mjs PAGE FILE: serves the page to this machine alone, and prints an address that opens FILE in it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';

/** The longest fragment that browsers take from a terminal; see src/text/link.ts. */
const LONGEST_LINK = 30_000;

const [page, file] = process.argv.slice(2);
const html = readFileSync(page);
const document = JSON.stringify([path.basename(file), readFileSync(file, 'utf8')]);
const fragment = `#t=${deflateRawSync(document).toString('base64url')}`;
const isShort = fragment.length <= LONGEST_LINK;

const server = createServer((request, response) => {
  const isPage = request.url === '/';
  response.writeHead(isPage ? 200 : 404, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'text/plain' });
  response.end(isPage ? html : 'There is only /.\n');
});
server.listen(0, '127.0.0.1', () => {
  console.log(`The page is at http://127.0.0.1:${server.address().port}/${isShort ? fragment : ''}`);
  console.log(isShort ? 'Ctrl-C here ends it.' : `Drop ${file} onto it. Ctrl-C here ends it.`);
});
