// Shows documents in a page with `useChat`, in Chromium, with each version of the AI SDK. Called by run.sh:
//
//   node main.mjs BINARY CHROMIUM OUTPUT SAMPLES FILE…     OUTPUT: where pictures of failures go
//
// FILTER: a regular expression; only the tests whose names match it run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { expectedParts } from '../documents.mjs';
import { ChatPage } from './driver.mjs';
import { Endpoint } from './endpoint.mjs';
import { FOREIGN, VERSIONS, buildPages, servePages } from './pages.mjs';
import { PLAYED, tests } from './tests.mjs';

const [binary, executablePath, output, samples, ...files] = process.argv.slice(2);
const filter = new RegExp(process.env.FILTER ?? '');
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const began = Date.now();
const scratch = mkdtempSync(path.join(tmpdir(), 'chatls-chat-'));
const sample = path.join(samples, 'demo.chat.md');
const toClose = [() => rmSync(scratch, { recursive: true, force: true })];
try {
  await runAll();
} finally {
  for (const close of toClose.reverse()) await close();
}
console.log(`the page: ${((Date.now() - began) / 1000).toFixed(0)} s`);

async function runAll() {
  rmSync(output, { recursive: true, force: true });
  await phase('bundled', buildPages(scratch));
  const behindProxy = await phase('endpoint started', Endpoint.start(binary, [sample], PLAYED));
  toClose.push(() => behindProxy.stop());
  const pages = await servePages(scratch, new URL(behindProxy.url).origin);
  toClose.push(() => pages.close());
  const args = [...flags, `--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`];
  const browser = await phase('browser started', chromium.launch({ executablePath, args }));
  toClose.push(() => browser.close());
  const expected = remembered((file) => expectedParts(binary, file));
  // Most of the time is waiting, so the versions are tried side by side.
  await Promise.all(VERSIONS.map(async (version) => {
    for (const [name, test] of Object.entries(tests)) {
      const what = `${name}, with ai ${version}`;
      if (filter.test(what)) await run(what, test, { browser, version, port: pages.port, expected });
    }
  }));
}

/** The value of `work`; prints that it is done, so that the output says where a run has stopped. */
async function phase(done, work) {
  const value = await work;
  console.log(`${done} (${Date.now() - began} ms)`);
  return value;
}

async function run(what, test, { browser, version, port, expected }) {
  const [endpoints, chats] = [[], []];
  const folder = mkdtempSync(path.join(scratch, 'test-'));
  const world = {
    files,
    sample,
    proxied: sample,
    small: path.join(samples, 'ui-stream.sse'),
    pending: path.join(samples, 'fence.chat.md'),
    folder,
    expected,
    async serve(paths, options) {
      endpoints.push(await Endpoint.start(binary, paths, options));
      return endpoints.at(-1);
    },
    async open(endpoint, options = {}, { host = '127.0.0.1', before } = {}) {
      const asked = new URLSearchParams({ ...(endpoint && { api: endpoint.url }), ...options });
      chats.push(await ChatPage.open(browser, `http://${host}:${port}/${version}/?${asked}`, before));
      return chats.at(-1);
    },
  };
  const start = Date.now();
  try {
    await test(world);
    await Promise.all(chats.splice(0).map((chat) => chat.close()));
    console.log(`ok: ${what} (${Date.now() - start} ms)`);
  } catch (error) {
    process.exitCode = 1;
    const said = endpoints.flatMap((endpoint) => endpoint.said.slice(-20)).join('\n');
    console.log(`FAILED: ${what}\n${error.stack}\nchatls said, at last: ${said}`);
    await picture(chats, what);
  } finally {
    for (const endpoint of endpoints) await endpoint.stop();
  }
}

async function picture(chats, what) {
  mkdirSync(output, { recursive: true });
  for (const [index, { page }] of chats.entries()) {
    const file = path.join(output, `${what.replace(/\W+/g, '-')}-${index + 1}.png`);
    await page.screenshot({ path: file, fullPage: true }).then(() => console.log(`see ${file}`), () => {});
    await page.context().close();
  }
}

function remembered(make) {
  const known = new Map();
  return (key) => known.get(key) ?? known.set(key, make(key)).get(key);
}
