// Exports of a transcript, and its comparison with another one.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '../driver/wait.mjs';

const chat = '**User:** <b>Look</b>.\n\n<tool>read(path=a)\none</tool>\n\n<tool>find(x=1)\n2 matches</tool>\n';
const other = 'text\n\n<tool>read(path=b)\none</tool>\n';

export const tests = {
  async 'a transcript is exported as one page'(vs) {
    await vs.create('passed.chat.md', chat);
    await vs.command('chatls: Export Transcript…');
    await vs.choose('HTML');
    const input = vs.page.locator('.quick-input-widget .quick-input-box input');
    await waitFor('the place to save at', async () => (await input.inputValue()).endsWith('.html'));
    const target = await input.inputValue();
    assert.equal(path.basename(target), 'passed.chat.html');
    await vs.page.keyboard.press('Enter');
    await waitFor('the page', () => existsSync(path.join(vs.folder, 'passed.chat.html')));
    await vs.waitForText('passed.chat.html', (text) => text.startsWith('<!doctype html>') && text.includes('🔧 2 tool calls'));
    assert.ok(vs.read('passed.chat.html').includes('&lt;b&gt;Look&lt;/b&gt;'));
    vs.remove('passed.chat.html');
  },

  async 'the preview shows only the calls of a tool, or those that failed'(vs) {
    await vs.create('filtered.chat.md', `${chat}\n\`\`\`tool\n{ "toolName": "read", "errorText": "no" }\n\`\`\`\n`);
    await vs.command('chatls: Open Preview to the Side');
    const page = vs.webview();
    await page.locator('.tools').first().waitFor();
    const entries = async () => (await page.locator('.entry:visible').allInnerTexts()).map((text) => text.trim());
    await page.locator('.filter .tool').selectOption('read');
    await waitFor('the calls of read', async () => JSON.stringify(await entries()) === JSON.stringify(['read(path=a) → one', 'read() ✗ no']));
    const label = async () => (await page.locator('.label').first().innerText()).replaceAll(/\s+/g, ' ');
    assert.equal(await label(), '2 of 3 tool calls (hide details)');
    await page.locator('.filter .status').selectOption('failed');
    await waitFor('the call that failed', async () => JSON.stringify(await entries()) === JSON.stringify(['read() ✗ no']));
    await page.locator('.filter .tool').selectOption('');
    await page.locator('.filter .status').selectOption('');
    await waitFor('all of it', async () => (await page.locator('.user').count()) === 1);
    assert.equal(await label(), '🔧 3 tool calls · 1 failed (show details)');
  },

  async 'two transcripts are compared by their tool calls'(vs) {
    await vs.create('other.chat.md', other);
    await vs.create('compared.chat.md', chat);
    // A file of the workspace that is not open; typing finds it.
    vs.write('far/closed.chat.md', chat);
    await vs.command('chatls: Compare With…');
    const rows = vs.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'other.chat.md' }).waitFor();
    await vs.page.keyboard.type('closed');
    await rows.filter({ hasText: 'far/closed.chat.md' }).waitFor();
    await waitFor('the rest to be gone', async () => (await rows.count()) === 2);
    await vs.choose('far/closed.chat.md');
    await vs.notification('No differences between compared.chat.md and closed.chat.md').waitFor();
    await vs.command('chatls: Compare With…');
    await vs.choose('other.chat.md');
    const diff = vs.page.locator('.monaco-diff-editor');
    await diff.first().waitFor();
    const lines = async () => (await diff.locator('.view-line').allInnerTexts()).map((line) => line.replaceAll('\u00a0', ' '));
    await waitFor('both values', async () => {
      const shown = await lines();
      return shown.includes('  "path": "a"') && shown.includes('  "path": "b"');
    });
    const message = vs.page.locator('.notification-toast').filter({ hasText: '1 tool call differs, 1 only in compared.chat.md.' });
    await message.waitFor();
    await vs.choose('List Differences');
    await vs.choose('input.path');
    await vs.cursorAt(3);
  },

  async 'what takes longer than a second shows its progress, and can be cancelled'(vs) {
    await vs.create('same.chat.md', chat);
    await vs.create('slow.chat.md', chat);
    await vs.serverRuns();
    const progress = vs.notification('Comparing slow.chat.md with same.chat.md');
    const answer = vs.notification('No differences between slow.chat.md and same.chat.md');
    await withStoppedServer(vs, async () => {
      await compareWithSame(vs);
      await progress.waitFor();
      await progress.getByRole('button', { name: 'Cancel' }).click();
      await progress.waitFor({ state: 'hidden' });
    });
    await withStoppedServer(vs, async () => {
      await compareWithSame(vs);
      await progress.waitFor();
      // The cancelled one would have come before.
      assert.equal(await answer.count(), 0);
    });
    await answer.waitFor();
    await progress.waitFor({ state: 'hidden' });
    assert.equal(await answer.count(), 1);
  },

  async 'no progress is shown while the user is asked'(vs) {
    await vs.create('asked.chat.md', chat);
    await vs.serverRuns();
    await vs.goTo(3, 8);
    await vs.command('chatls: Convert Tool Call…');
    const row = vs.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /fence/i }).first();
    await row.waitFor();
    // It would be there after a second.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.equal(await vs.notification('Changing asked.chat.md').count(), 0);
    await row.click();
    await vs.waitForText('asked.chat.md', (text) => text.includes('```tool'));
  },
};

/** Does `work` while the server answers nothing. */
async function withStoppedServer(vs, work) {
  const [server] = vs.servers();
  process.kill(server, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(server, 'SIGCONT');
  }
}

async function compareWithSame(vs) {
  await vs.command('chatls: Compare With…');
  await vs.choose('same.chat.md');
}
