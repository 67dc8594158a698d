// node pictures.mjs FOLDER: makes the pictures of the documentation. Called by run.sh --pictures.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { ADDRESS, FLAGS, Window } from './window.mjs';

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
try {
  await picture('page', {}, async (window) => {
    await window.page.locator('.problem').first().click();
    await window.page.locator('.fixes button').waitFor();
  });
  await picture('repair', { colorScheme: 'dark' }, async (window) => {
    await window.button('Repair (3)').click();
    await window.dialog().locator('.diff').waitFor();
  });
} finally {
  await browser.close();
}

async function picture(name, options, prepare) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, ...options });
  const window = new Window(page, 'Chromium');
  await window.load(ADDRESS);
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.button('Repair (3)').waitFor();
  await window.chat().locator('.label').first().click();
  await prepare(window);
  const file = path.join(folder, `${name}.png`);
  writeFileSync(file, await page.screenshot());
  execFileSync('pngquant', ['--force', '--strip', '--output', file, '128', file]);
  await page.close();
}
