// The browsers.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { chromium, firefox } from 'playwright-core';
import { ADDRESS, DOWNLOADS, FLAGS, Window } from './window.mjs';

const { CHROMIUM, FIREFOX, OUTPUT } = process.env;

const started = new Map();

/** `dark` is a property of the window in Chromium, and of the whole browser in Firefox. */
const BROWSERS = {
  Chromium: { start: () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS }), window: (dark) => ({ colorScheme: dark ? 'dark' : 'light' }) },
  Firefox: {
    // Debian's own, by WebDriver BiDi.
    start: (dark) => firefox.launch({ channel: 'moz-firefox', executablePath: FIREFOX, downloadsPath: DOWNLOADS, firefoxUserPrefs: { 'ui.systemUsesDarkTheme': dark ? 1 : 0 } }),
    window: () => ({}),
  },
};

/** Runs a test in each browser, in a new window. `options`: `dark`, and those of Playwright's contexts. */
export function inBrowsers(name, options, body) {
  for (const browser of Object.keys(BROWSERS)) {
    test(`${browser}: ${name}`, { timeout: 180_000 }, async () => {
      const { dark = false, ...more } = options;
      const context = await (await launched(browser, dark)).newContext({ viewport: { width: 1280, height: 800 }, ...BROWSERS[browser].window(dark), ...more });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const window = new Window(page, browser);
      try {
        await window.load(ADDRESS);
        await body(window);
        assert.deepEqual(window.faults, []);
      } catch (error) {
        mkdirSync(OUTPUT, { recursive: true });
        await page.screenshot({ path: path.join(OUTPUT, `${browser} ${name}.png`.replace(/[^\w.]+/g, '-')) }).catch(() => undefined);
        throw error;
      } finally {
        await context.close();
      }
    });
  }
}

async function launched(browser, dark) {
  const key = `${browser} ${dark}`;
  if (!started.has(key)) {
    started.set(key, await BROWSERS[browser].start(dark));
  }
  return started.get(key);
}

after(async () => Promise.all([...started.values()].map((browser) => browser.close())));

export function sample(name) {
  return readFileSync(new URL(`../../../samples/${name}`, import.meta.url), 'utf8');
}

export const BROKEN = readFileSync(new URL('../sample/broken-session.jsonl', import.meta.url), 'utf8');
