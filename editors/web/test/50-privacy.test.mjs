// Nothing leaves the page.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { BROKEN, inBrowsers } from './driver.mjs';

inBrowsers('without a network, everything works', {}, async (window) => {
  const { page } = window;
  await page.context().setOffline(true);
  await page.route('**/*', (route) => route.abort());
  await window.paste(BROKEN);
  await window.summaryIs(/problems$/);
  await window.button('Repair (3)').click();
  await window.dialog().getByRole('button', { name: 'Repair', exact: true }).click();
  await window.summaryIs(/^5 tool calls · 2 failed$/);
  await window.tab('Statistics').click();
  await page.getByText('Calls by tool').waitFor();
});

inBrowsers('the policy refuses requests of any kind', {}, async (window) => {
  const { page } = window;
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  const { server, asked, address } = await serve('');
  try {
    const refused = await page.evaluate(async (to) => {
      const found = new Set();
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => found.add(effectiveDirective));
      const element = (name, members) => document.body.appendChild(Object.assign(document.createElement(name), members));
      for (const attempt of [
        () => fetch(to).catch(() => undefined),
        () => navigator.sendBeacon(to, 'leak'),
        () => new WebSocket(to.replace('http', 'ws')),
        () => element('img', { src: to }),
        () => element('script', { src: to }),
        () => element('link', { rel: 'stylesheet', href: to }),
        () => element('iframe', { src: to }),
        () => element('form', { action: to, method: 'post', target: '_blank' }).submit(),
        () => new Worker(to),
      ]) {
        try { await attempt(); } catch { /* The browser says so at once. */ }
      }
      await new Promise((done) => { setTimeout(done, 1000); });
      return [...found];
    }, address);
    for (const directive of ['connect-src', 'form-action', 'frame-src', 'img-src', 'script-src-elem', 'style-src-elem']) {
      assert.ok(refused.includes(directive), `${directive}: ${refused}`);
    }
    assert.deepEqual(asked, []);
  } finally {
    server.close();
  }
  // The browser reports what it refuses.
  window.faults = [];
});

inBrowsers('text of others does nothing', {}, async (window) => {
  const { page } = window;
  const evil = '<img src=x onerror="parent.hacked=1"><script>parent.hacked=1</script> ![x](https://chatls.invalid/x.png) [go](javascript:parent.hacked=1)';
  const records = [
    { type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: evil } },
    { type: 'assistant', uuid: 'u2', parentUuid: 'u1', message: { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: evil, input: { path: evil } }] } },
  ];
  await window.paste(records.map((record) => JSON.stringify(record)).join('\n'));
  await window.chat().locator('.message.user', { hasText: '<script>' }).waitFor();
  await window.tab('Statistics').click();
  await page.getByText('Calls by tool').waitFor();
  await window.button('Convert').click();
  await window.dialog().locator('.shown', { hasText: 'chatls.invalid' }).waitFor();
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await page.locator('main img').count(), 0);
  // The frame reaches nothing of the page.
  const reached = await page.frames()[1].evaluate(() => { try { return Boolean(parent.document); } catch { return false; } });
  assert.equal(reached, false);
});

inBrowsers('a server is asked for the page alone', {}, async (window) => {
  const { server, asked, address } = await serve(readFileSync(process.env.PAGE));
  try {
    await window.load(`${address}chatls.html`);
    await window.button('Try a broken session').click();
    await window.summaryIs(/problems$/);
    await window.chat().getByText('The tests of the parser fail').waitFor();
    assert.deepEqual(asked, ['/chatls.html']);
  } finally {
    server.close();
  }
});

/** A server that answers everything with one text, and what it was asked for. */
async function serve(text) {
  const asked = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('connection', 'close');
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, asked, address: `http://127.0.0.1:${server.address().port}/` };
}
