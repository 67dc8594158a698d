// The page for screen readers, in light and dark, and on phones.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inBrowsers } from './driver.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules for whole pages: the chat is a part of one. */
const PAGE_RULES = { 'page-has-heading-one': { enabled: false }, region: { enabled: false } };

/** Fails on all that axe finds, in the page and in the frame of the chat. */
async function isAccessible(window, what) {
  for (const frame of window.page.frames()) {
    await frame.evaluate(axe);
    const rules = frame === window.page.mainFrame() ? {} : PAGE_RULES;
    const violations = await frame.evaluate(async (rules) => {
      const { violations: found } = await globalThis.axe.run(document, { iframes: false, rules });
      return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join('; ')}`);
    }, rules);
    assert.deepEqual(violations, [], `${what}, ${frame === window.page.mainFrame() ? 'the page' : 'the chat'}`);
  }
}

async function visit(window) {
  const { page } = window;
  await isAccessible(window, 'start');
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.button('Repair (3)').waitFor();
  await isAccessible(window, 'problems');
  if (await window.tab('Chat').getAttribute('aria-selected') !== 'true') {
    await window.tab('Chat').click();
  }
  await window.chat().locator('.label').first().click();
  await isAccessible(window, 'chat');
  await window.tab('Statistics').click();
  await page.getByText('Calls by tool').waitFor();
  await isAccessible(window, 'statistics');
  for (const [name, ready] of [[/^Repair/, '.diff'], ['Redact', '.diff'], ['Convert', '.shown:not(:empty)'], ['Share', '.strong']]) {
    await window.button(name).click();
    await window.dialog().locator(ready).waitFor();
    await isAccessible(window, String(name));
    await page.keyboard.press('Escape');
    await window.dialog().waitFor({ state: 'detached' });
  }
}

inBrowsers('axe finds nothing in light', {}, visit);
inBrowsers('axe finds nothing in dark', { dark: true }, async (window) => {
  assert.ok(await window.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches));
  await visit(window);
});

inBrowsers('a phone shows one pane at a time, and nothing beside the window', { viewport: { width: 390, height: 780 } }, async (window) => {
  const { page } = window;
  const fits = async (what) => {
    const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(width <= inner, `${what}: ${width} of ${inner}`);
  };
  await fits('start');
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  assert.equal(await window.tab('Problems 3').getAttribute('aria-selected'), 'true');
  assert.ok(!(await page.locator('.editor').isVisible()) && !(await page.locator('.chat').isVisible()));
  await fits('problems');
  // A problem shows its place.
  await page.locator('.problem').first().click();
  await page.locator('.cm-activeLine', { hasText: 'toolu_04' }).waitFor();
  assert.equal(await window.tab('Text').getAttribute('aria-selected'), 'true');
  await fits('text');
  await window.tab('Chat').click();
  await window.chat().getByText('The tests of the parser fail').waitFor();
  await fits('chat');
  await window.button('Repair (3)').click();
  await window.dialog().locator('.diff').waitFor();
  const box = await window.dialog().boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 780, JSON.stringify(box));
  await isAccessible(window, 'phone');
});
