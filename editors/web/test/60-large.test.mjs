// A session of 40 MB.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '../../vscode/test/driver/wait.mjs';
import { inBrowsers } from './driver.mjs';

const LARGE = path.join(process.env.SCRATCH, 'large.jsonl');
let isWritten = false;

/** Each turn has two calls; of one in 500 turns, the second has lost its result. */
function write() {
  if (isWritten) {
    return;
  }
  isWritten = true;
  const lines = [];
  let bytes = 0;
  const add = (message) => {
    const uuid = `u${lines.length + 1}`;
    const record = JSON.stringify({ type: message.role, uuid, parentUuid: lines.length === 0 ? null : `u${lines.length}`, sessionId: 's1', message });
    lines.push(record);
    bytes += record.length + 1;
  };
  for (let turn = 0; bytes < 40e6; turn++) {
    const call = (part, name, input) => ({ type: 'tool_use', id: `t${turn}${part}`, name, input });
    const result = (part, content) => ({ type: 'tool_result', tool_use_id: `t${turn}${part}`, content });
    add({ role: 'user', content: `Question ${turn}` });
    add({ role: 'assistant', content: [call('a', 'Read', { file_path: `src/${turn}.ts` }), call('b', 'Bash', { command: 'npm test' })] });
    add({ role: 'user', content: [result('a', 'a line of code\n'.repeat(200)), ...(turn % 500 === 7 ? [] : [result('b', 'ok')])] });
    add({ role: 'assistant', content: `Answer ${turn}` });
  }
  writeFileSync(LARGE, `${lines.join('\n')}\n`);
}

async function choose(window) {
  write();
  await window.page.locator('input[type=file]').setInputFiles(LARGE);
}

inBrowsers('a session of 40 MB is opened while the page goes on', {}, async (window) => {
  const { page } = window;
  await page.evaluate(() => {
    globalThis.seen = { stages: new Set(), frames: 0 };
    const look = () => {
      const progress = document.querySelector('.progress');
      if (!progress.hidden) {
        globalThis.seen.frames++;
        globalThis.seen.stages.add(progress.querySelector('p').textContent.split(/[ :]/)[0]);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await choose(window);
  await page.locator('.progress').getByText(/^Checking/).waitFor();
  // While the worker is busy, the text is there, and takes keys.
  await page.locator('.cm-line', { hasText: 'Question 0' }).waitFor();
  assert.equal(await window.summary().innerText(), '');
  await window.summaryIs(/^\d+ tool calls · .* problems$/);
  await window.chat().getByText('Question 0', { exact: true }).waitFor();
  const { frames, stages } = await page.evaluate(() => ({ frames: globalThis.seen.frames, stages: [...globalThis.seen.stages] }));
  assert.ok(stages.includes('Reading') && stages.includes('Checking'), stages.join());
  // A page that is frozen draws none.
  assert.ok(frames > 20, `${frames} frames`);
  await waitFor('the end', async () => page.locator('.progress').isHidden());

  // A change, far down.
  await page.locator('.problem').nth(5).click();
  await page.locator('.fixes button').first().click();
  const before = Number(/(\d+) problems/.exec(await window.summary().innerText())[1]);
  await window.summaryIs(new RegExp(`· ${before - 1} problems$`));
});

inBrowsers('it can be cancelled, and the next document opens', {}, async (window) => {
  const { page } = window;
  await window.paste('{"role":"user","content":"first"}\n{"role":"assistant","content":"yes"}');
  await window.chat().getByText('first', { exact: true }).waitFor();
  await choose(window);
  await page.locator('.progress').getByText(/^Checking/).waitFor();
  await page.locator('.progress').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled.').waitFor();
  assert.deepEqual(await page.getByRole('tablist', { name: 'Documents' }).getByRole('tab').allInnerTexts(), ['pasted.jsonl']);
  // The engine is a new one, which has the document that was open before.
  await window.chat().getByText('first', { exact: true }).waitFor();
  await window.tab('Statistics').click();
  await page.getByText('There are no tool calls in this document.').waitFor();
});
