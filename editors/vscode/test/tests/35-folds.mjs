// Folding where the editor has limits, and where a message begins on the line of its batch.
import assert from 'node:assert/strict';
import { waitFor, waitForValue } from '../driver/wait.mjs';

const batch = (name) => `<tool>${name}()\nwritten by ${name}</tool>\n<tool>z()</tool>\n\nBetween.\n\n`;
const results = async (vs) => (await vs.lines()).filter((line) => line.includes('written by')).length;

// The least that the editor takes.
export const profile = { name: 'folds', settings: { 'editor.foldingMaximumRegions': 10 } };
export const shut = true;

export const tests = {
  async 'folds a batch whose message begins on its own line'(vs) {
    await vs.create('message.chat.md', `User: Go.\n\nAssistant: ${batch('a')}Done.\n\nUser: Thanks.\n`);
    await vs.serverRuns();
    await vs.command('chatls: Fold All Batches');
    await waitForValue('results that are shown', async () => results(vs), 0);
    const line = await vs.line('Assistant:');
    assert.match(line, /🔧 2 tool calls/);
    await vs.line('Done.');
  },

  async 'says how many batches it cannot fold, and folds them once the limit is raised'(vs) {
    await vs.create('many.chat.md', Array.from({ length: 14 }, (_, number) => batch(`t${number}`)).join(''));
    await vs.serverRuns();
    await vs.command('chatls: Fold All Batches');
    const said = vs.notification(/\d+ of 14 batches and calls are folded: VS Code keeps at most 10 folding ranges of a document \(editor\.foldingMaximumRegions\)/);
    await said.waitFor();
    await vs.page.keyboard.press('Control+End');
    await vs.line('written by t13');
    await said.getByRole('button', { name: 'Raise the Limit' }).click();
    await waitForValue('results that are shown', async () => results(vs), 0);
    await vs.line('t13');
  },

  async 'folds in a document of which only the visible part is known'(vs) {
    await vs.create('large.chat.md', `${batch('a')}${'Some words. '.repeat(20)}\n`.padEnd(600_000, 'Some words.\n'));
    await vs.serverRuns();
    await vs.command('chatls: Fold All Batches');
    await waitForValue('results that are shown', async () => results(vs), 0);
    await vs.line('Between.');
  },

  async 'says that the editor folds nothing in a document that is too large'(vs) {
    await vs.create('long.chat.md', batch('a') + '\n'.repeat(300_001));
    await vs.serverRuns();
    await vs.command('chatls: Fold All Batches');
    const said = vs.notification('VS Code does not fold documents above 20 MB or 300,000 lines');
    await said.waitFor();
    await said.getByRole('button', { name: 'Open Setting' }).click();
    await waitFor('the setting', async () => (await vs.page.locator('.settings-editor').innerText()).includes('Large File Optimizations'));
    await vs.page.keyboard.press('Escape');
    await vs.page.locator('.settings-editor').waitFor({ state: 'hidden' });
  },
};
