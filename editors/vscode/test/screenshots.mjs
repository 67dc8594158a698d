// Takes the pictures of the READMEs and of the walkthrough. Called by run.sh --screenshots.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from './driver/wait.mjs';

const sample = (name) => readFileSync(fileURLToPath(new URL(`../../../samples/${name}`, import.meta.url)), 'utf8');

/** Bytes that a picture may have. */
const MOST = 150_000;

const broken = `# Cats

**User:** Find me some cats.

**Assistant:** I'll search for them.

\`\`\`tool
{
  "toolCallId": "call_1",
  "toolName": "search"
  "input": { "query": "cats", "exact": True },
  "state": "done",
}
\`\`\`

<tool>read_file(path=cats.txt)
Tom, Kitty</tool>
`;

const pending = `# Cats

**User:** Find me some cats.

**Assistant:** I'll search for them.

\`\`\`tool
{ "toolName": "search", "input": { "query": "cats" } }
\`\`\`
`;

const wide = { width: 1120, height: 640 };

const pictures = {
  async problems(vs) {
    await vs.create('cats.chat.md', broken);
    await vs.squiggle();
    await vs.problems();
    await vs.goTo(10, 23);
  },

  async fix(vs) {
    await vs.create('cats.chat.md', broken);
    await vs.squiggle();
    await vs.goTo(12, 14);
    await vs.pressFor('Control+.', vs.page.locator('.action-widget .monaco-list-row.action').first());
  },

  async folded(vs) {
    await vs.page.setViewportSize({ width: 1120, height: 430 });
    await vs.create('login.chat.md', sample('demo.chat.md'));
    await vs.serverRuns();
    await vs.command('chatls: Fold All Batches');
    await vs.line('🔧 3 tool calls · 1 failed');
    await vs.goTo(3, 1);
  },

  async run(vs) {
    vs.write('chatls.toml', '[run.search]\ncommand = ["python3", "tools/search.py"]\nenv = ["CATS_TOKEN"]\n');
    vs.write('tools/search.py', 'print("[]")\n');
    await vs.create('find.chat.md', pending);
    await vs.editor().locator('.codelens-decoration a').filter({ hasText: 'Run' }).first().click();
    await vs.page.locator('.monaco-dialog-box').filter({ hasText: 'Agree to start' }).waitFor();
  },

  async preview(vs) {
    await openPreview(vs);
  },

  async 'preview-dark'(vs) {
    await vs.page.emulateMedia({ colorScheme: 'dark' });
    await openPreview(vs);
  },

  async events(vs) {
    await vs.page.setViewportSize({ width: 1200, height: 480 });
    await vs.create('events.chat.md', sample('demo.chat.md'));
    await vs.serverRuns();
    await vs.command('chatls: Show Events of This Document');
    await vs.tabStartingWith('events.chat.md (events)').waitFor();
    await vs.page.locator('.editor-group-container').nth(1).getByText('tool-input-available').first().waitFor();
  },
};

async function openPreview(vs) {
  await vs.page.setViewportSize({ width: 1200, height: 760 });
  await vs.create('title.chat.md', sample('demo.chat.md'));
  await vs.serverRuns();
  await vs.command('chatls: Open Preview to the Side');
  const page = vs.webview();
  await page.locator('.label').first().click();
  await page.locator('.entry').first().waitFor();
  await vs.open('title.chat.md');
  await vs.goTo(9, 3);
  await vs.page.mouse.move(400, 750);
}

export async function takeScreenshots(browser, folder, output) {
  mkdirSync(folder, { recursive: true });
  const settings = { 'workbench.activityBar.location': 'hidden', 'editor.fontSize': 13, 'window.commandCenter': false, 'breadcrumbs.enabled': false, 'workbench.layoutControl.enabled': false };
  const vs = await browser.open('chats', { settings, page: { viewport: wide, deviceScaleFactor: 1.5 } });
  await vs.command('View: Toggle Primary Side Bar Visibility');
  for (const [name, arrange] of Object.entries(pictures)) {
    await vs.page.emulateMedia({ colorScheme: 'light' });
    await vs.page.setViewportSize(wide);
    await arrange(vs).catch(async (error) => {
      await vs.page.screenshot({ path: path.join(output, `${name}.png`) });
      throw error;
    });
    await still(vs.page);
    const file = path.join(folder, `${name}.png`);
    await vs.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
    execFileSync('pngquant', ['--force', '--skip-if-larger', '--strip', '--speed', '1', '--output', file, '128', file]);
    const { size } = statSync(file);
    console.log(`${file}: ${(size / 1000).toFixed(0)} kB`);
    if (size > MOST) {
      throw new Error(`${file} has more than ${MOST / 1000} kB`);
    }
    await vs.page.keyboard.press('Escape');
    await vs.tidy();
  }
}

/** Waits until two pictures in a row are the same. */
async function still(page) {
  let last = '';
  await waitFor('the window to be still', async () => {
    const now = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
    const same = now === last;
    last = now;
    return same;
  });
}
