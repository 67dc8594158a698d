// Runs the tests of tests/*.mjs in a real VS Code, takes the pictures of screenshots.mjs, or measures with measure.mjs. Called by run.sh.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { installExtension } from './driver/codeServer.mjs';
import { Browser } from './driver/browser.mjs';
import { runAll } from './driver/runner.mjs';

/** The tests of what the extension does otherwise in browsers, where it has no process: its connection to the server. */
const IN_BROWSERS = ['10', '20', '35', '36'];

const here = path.dirname(fileURLToPath(import.meta.url));
const options = {};
for (const name of ['code-server', 'browser', 'vsix', 'scratch', 'output', 'screenshots', 'measure', 'filter', 'web']) {
  options[name] = { type: 'string', default: '' };
}
const { values } = parseArgs({ options });

const began = Date.now();
rmSync(values.output, { recursive: true, force: true });
mkdirSync(values.output, { recursive: true });
const extensions = path.join(values.scratch, 'extensions');
await installExtension(values['code-server'], values.vsix, extensions, values.scratch);

// The extension in the browser's own host, as in VS Code for the Web.
const kind = values.web === '' ? {} : { 'remote.extensionKind': { 'chatls.chatls': ['ui'] } };
const browser = new Browser({ codeServer: values['code-server'], executable: values.browser, extensions, scratch: values.scratch, kind });
let failed;
try {
  if (values.screenshots !== '') {
    const { takeScreenshots } = await import('./screenshots.mjs');
    await takeScreenshots(browser, values.screenshots, values.output);
    failed = 0;
  } else if (values.measure !== '') {
    const { measure } = await import('./measure.mjs');
    await measure(browser, values.scratch);
    failed = 0;
  } else {
    const isWanted = (name) => name.endsWith('.mjs') && (values.web === '' || IN_BROWSERS.some((number) => name.startsWith(number)));
    const files = readdirSync(path.join(here, 'tests')).filter(isWanted).sort();
    const groups = await Promise.all(files.map((name) => import(`./tests/${name}`)));
    failed = await runAll(browser, groups, { filter: new RegExp(values.filter), output: values.output, vsix: values.vsix });
  }
} finally {
  await browser.close();
}
if (failed === 0) {
  rmSync(values.output, { recursive: true, force: true });
}
console.log(`${((Date.now() - began) / 1000).toFixed(0)} s in all`);
process.exitCode = failed === 0 ? 0 : 1;
