// An engine that does not work.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inBrowsers } from './driver.mjs';

inBrowsers('without its engine the page says so, and keeps the text', {}, async (window) => {
  const broken = path.join(process.env.SCRATCH, 'broken.html');
  const page = readFileSync(process.env.PAGE, 'utf8');
  writeFileSync(broken, page.replace(/(<script type="text\/plain" id="engine">)[^<]*/, '$1H4sIAAAAAAAAA'));
  await window.load(pathToFileURL(broken).href);
  await window.page.getByText('The engine does not work').waitFor();
  await window.button('Try a broken session').click();
  await window.page.locator('.cm-line', { hasText: 'The tests of the parser' }).waitFor();
  await window.saved('broken-session.jsonl', () => window.button('Save').click());
  // The browser reports the failure of the worker, too.
  window.faults = [];
});
