// What a page with `useChat` shows of `chatls events --serve`. Each test gets the world of main.mjs, and says what it is by its name.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FOREIGN } from './pages.mjs';

/** Options with which an answer takes 8 s: a page is drawn as seldom as once in a second where a machine is busy. */
export const PLAYED = ['--delay', '80'];

export const tests = {
  async 'every document is shown as it says'({ serve, open, files, expected }) {
    const chat = await open(await serve(files));
    // One chat: each message gets the next document.
    for (const file of files) {
      assert.deepEqual(await chat.ask(`Show ${path.basename(file)}`), expected(file), file);
    }
    assert.equal(chat.requests.length, files.length);
    const headers = (await chat.requests[0].response()).headers();
    assert.equal(headers['access-control-allow-origin'], new URL(chat.page.url()).origin);
  },

  async 'a played document comes piece by piece'({ serve, open, sample, expected }) {
    const chat = await open(await serve([sample], PLAYED));
    const seen = await chat.watch();
    assert.deepEqual(await chat.ask('Play'), expected(sample));
    comesPieceByPiece(await seen(), expected(sample).length);
  },

  async 'after the last document comes the first'({ serve, open, sample, small, expected }) {
    const chat = await open(await serve([sample, small]));
    assert.deepEqual(await chat.ask('One'), expected(sample));
    assert.deepEqual(await chat.ask('Two'), expected(small));
    assert.deepEqual(await chat.ask('Three'), expected(sample));
  },

  async 'an answer that is made again is the same'({ serve, open, sample, small, expected }) {
    const chat = await open(await serve([small, sample]));
    await chat.ask('One');
    await chat.ask('Two');
    await chat.press('Again');
    await chat.settled(3);
    assert.deepEqual([await chat.parts(0), await chat.parts(1)], [expected(small), expected(sample)]);
  },

  async 'an answer that is stopped ends there, and the next is whole'({ serve, open, sample, small, expected }) {
    const whole = expected(sample);
    const endpoint = await serve([sample, small], PLAYED);
    const chat = await open(endpoint);
    await chat.send('Play');
    await chat.until('a call', () => document.querySelector('section') !== null);
    await chat.press('Stop');
    await chat.status('ready');
    const cut = await chat.parts();
    assert.ok(cut.length < whole.length, `all of it came: ${JSON.stringify(cut)}`);
    assert.deepEqual(await chat.ask('Go on'), expected(small));
    assert.deepEqual(await chat.parts(), cut, 'more came after it was stopped');
  },

  async 'two pages are answered at the same time'({ serve, open, sample, expected }) {
    const endpoint = await serve([sample], PLAYED);
    const chats = [await open(endpoint), await open(endpoint)];
    const times = await Promise.all(chats.map(async (chat) => {
      await chat.send('Play');
      await chat.status('streaming');
      const began = Date.now();
      await chat.status('ready');
      return { began, ended: Date.now() };
    }));
    assert.ok(
      Math.max(...times.map(({ began }) => began)) < Math.min(...times.map(({ ended }) => ended)),
      `one was answered after the other: ${JSON.stringify(times)}`,
    );
    for (const chat of chats) assert.deepEqual(await chat.parts(), expected(sample));
  },

  async 'a page that goes on by itself after calls does so once'({ serve, open, sample, small, expected }) {
    const documents = [sample, small, sample];
    const chat = await open(await serve(documents), { automatic: '' });
    for (const index of documents.keys()) {
      await chat.ask('Go on');
      await chat.settled(2 * (index + 1));
    }
    for (const [index, file] of documents.entries()) {
      assert.deepEqual(withoutEmpty(await chat.parts(index)), expected(file));
    }
    assert.equal(chat.requests.length, 2 * documents.length);
  },

  async 'a pending call is answered by the page'({ serve, open, pending, small, expected }) {
    const chat = await open(await serve([pending, small]), { automatic: '' });
    const before = await chat.ask('Call');
    assert.deepEqual(before, expected(pending));
    assert.equal(chat.requests.length, 1, 'it went on with a call pending');
    await chat.press('Answer');
    await chat.settled(2);
    const answered = (part) => ({ ...part, state: 'output-available', output: 'done by the page' });
    const after = before.map((part) => (part.state === 'input-available' ? answered(part) : part));
    assert.deepEqual(withoutEmpty(await chat.parts()), after);
    // The calls of the next document are all done, so that the page goes on after them as well.
    assert.deepEqual(withoutEmpty(await chat.ask('Next')), expected(small));
    await chat.settled(4);
    assert.equal(chat.requests.length, 4);
  },

  async 'a page that looks for a stream to resume finds none'({ serve, open, sample, expected }) {
    const endpoint = await serve([sample]);
    const asked = [];
    const chat = await open(endpoint, { resume: '' }, { host: 'localhost', before: (page) => page.on('response', (response) => asked.push(response)) });
    assert.deepEqual(await chat.ask('Play'), expected(sample));
    const resumed = asked.filter((response) => response.url().endsWith('/stream'));
    assert.deepEqual(resumed.map((response) => response.status()), [204]);
  },

  async 'a document that is gone is an error of the page'({ serve, open, small, folder, expected }) {
    const file = path.join(folder, 'gone.sse');
    copyFileSync(small, file);
    const chat = await open(await serve([file]));
    rmSync(file);
    await chat.send('Play');
    await chat.status('error');
    assert.match(await chat.error(), /gone\.sse` cannot be read/);
    copyFileSync(small, file);
    assert.deepEqual(await chat.ask('Again'), expected(small));
  },

  async 'a page of another machine gets nothing'({ serve, open, sample }) {
    const endpoint = await serve([sample]);
    const chat = await open(endpoint, {}, { host: FOREIGN });
    await chat.send('Play');
    await chat.status('error');
    assert.match(await chat.error(), /fetch/);
    assert.deepEqual(endpoint.said, [], 'it was answered');
    // Nor does a page that comes from there, as far as the browser knows.
    const { port } = new URL(endpoint.url);
    const response = await chat.page.goto(`http://${FOREIGN}:${port}/`);
    assert.equal(response.status(), 421);
  },

  async 'a proxy of Vite holds nothing back'({ open, proxied, expected }) {
    const chat = await open(null);
    const seen = await chat.watch();
    assert.deepEqual(await chat.ask('Play'), expected(proxied));
    comesPieceByPiece(await seen(), expected(proxied).length);
  },
};

/** The visible parts: continuing after calls adds an empty text. */
function withoutEmpty(parts) {
  return parts.filter(({ text }) => text !== '');
}

/**
 * Of what `watch` saw: it grew in steps, from nothing to all `parts` of it, between `submitted` and `ready`. What is held
 * back comes in one; how many steps a page draws depends on the other work of the machine.
 */
function comesPieceByPiece(seen, parts) {
  const statuses = seen.map(({ status }) => status).filter((status, at, all) => status !== all[at - 1]);
  assert.deepEqual(statuses, ['ready', 'submitted', 'streaming', 'ready']);
  const streamed = seen.filter(({ status }) => status === 'streaming');
  const counts = new Set(streamed.map((now) => now.parts));
  assert.ok(counts.size > 2, `parts came together: ${[...counts]} of ${parts}`);
  assert.ok(new Set(streamed.map(({ length }) => length)).size > parts / 2, `text came together: ${JSON.stringify(streamed)}`);
  for (const [at, now] of streamed.entries()) {
    assert.ok(at === 0 || now.parts >= streamed[at - 1].parts, 'parts went away');
  }
}
