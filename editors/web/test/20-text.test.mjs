// The text: problems as one types, fixes, completion, folds.
import assert from 'node:assert/strict';
import { waitFor } from '../../vscode/test/driver/wait.mjs';
import { inBrowsers, sample } from './driver.mjs';

const CALL = '**User:** Read it.\n\n**Assistant:** Yes.\n\n```tool\n{"toolName": "read_file", "input": {"path": "a.py"}}\n```\n';

inBrowsers('problems follow what is typed', {}, async (window) => {
  const { page } = window;
  await window.paste(CALL);
  await window.summaryIs(/^1 tool call · 1 pending$/);
  await page.locator('.cm-line', { hasText: 'read_file' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await window.summaryIs(/1 problem$/);
  await page.locator('.cm-lintRange-error').first().waitFor();
  await page.keyboard.press('Control+z');
  await window.summaryIs(/^1 tool call · 1 pending$/);
  assert.deepEqual(await window.problems(), []);
  // The chat follows, too.
  await page.locator('.cm-line', { hasText: 'Yes.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' At once.');
  await window.chat().getByText('Yes. At once.').waitFor();
});

inBrowsers('a problem shows its place and its fixes', {}, async (window) => {
  const { page } = window;
  await window.paste(sample('broken.chat.md'));
  await window.summaryIs(/problems$/);
  const before = (await window.problems()).length;
  assert.ok(before > 20, String(before));
  await page.locator('.problem', { hasText: 'found True' }).click();
  const text = page.locator('.cm-activeLine', { hasText: 'exact' });
  await text.waitFor();
  await page.locator('.fixes button').first().click();
  await waitFor('fewer problems', async () => (await window.problems()).length < before);
  await page.locator('.cm-line', { hasText: '"exact": true' }).waitFor();

  await window.button('Fix all').click();
  await page.locator('.cm-line', { hasText: '"toolName": "search",' }).first().waitFor();
  // There are no safe fixes any more.
  await window.button('Fix all').waitFor({ state: 'hidden' });
});

inBrowsers('the cursor stays visible while problems come', {}, async (window) => {
  const { page } = window;
  await window.paste(`**Assistant:** Hello.\n\n${'A line.\n\n'.repeat(60)}`);
  await window.chat().getByText('A line.').first().waitFor();
  await page.locator('.cm-content').press('Control+End');
  await page.keyboard.type('```tool\n{"toolName": 1');
  await page.locator('.problem').nth(1).waitFor();
  const editor = await page.locator('.cm-scroller').boundingBox();
  const cursor = await page.locator('.cm-cursor-primary').boundingBox();
  assert.ok(cursor.y >= editor.y && cursor.y + cursor.height <= editor.y + editor.height + 1, JSON.stringify({ editor, cursor }));
});

inBrowsers('completion knows the members of a call', {}, async (window) => {
  const { page } = window;
  await window.paste('**Assistant:** I read it.\n\n```tool\n{"toolName": "read_file", }\n```\n');
  await window.summaryIs(/tool call/);
  await page.locator('.cm-line', { hasText: 'read_file' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('"');
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'input' }).waitFor();
});

inBrowsers('batches fold into their labels', {}, async (window) => {
  const { page } = window;
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.button('Fold calls').click();
  const label = page.locator('.cm-foldPlaceholder', { hasText: '🔧 2 tool calls · 1 failed' });
  await label.waitFor();
  assert.equal(await page.locator('.cm-line', { hasText: 'toolu_01' }).count(), 0);
  await label.click();
  await page.locator('.cm-line', { hasText: 'toolu_01' }).first().waitFor();
  await window.button('Unfold').click();
  await page.locator('.cm-foldPlaceholder').first().waitFor({ state: 'detached' });
  await window.button('Fold calls').waitFor();
});

inBrowsers('the chat shows places in the text', {}, async (window) => {
  await window.button('Try a broken session').click();
  await window.chat().locator('.label').nth(1).click();
  await window.chat().locator('.call', { hasText: 'Grep' }).click();
  await window.page.locator('.cm-activeLine', { hasText: 'toolu_04' }).waitFor();
});

inBrowsers('statistics count, draw and lead to failures', {}, async (window) => {
  const { page } = window;
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.tab('Statistics').click();
  const row = page.locator('.bars li', { hasText: 'Bash' });
  await row.getByText('2 calls, 1 failed').waitFor();
  const [done, failed] = await row.locator('.meter > span').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
  assert.ok(done > 50 && Math.abs(done - failed) < 2, `${done} ${failed}`);
  assert.deepEqual(await page.locator('.numbers dd').allInnerTexts(), ['7', '4', '1', '2', '3']);
  await page.getByRole('button', { name: 'FAIL parser.test.ts' }).click();
  await page.locator('.cm-activeLine', { hasText: 'toolu_01' }).waitFor();
  // They follow a change.
  await window.button('Repair (3)').click();
  await window.dialog().getByRole('button', { name: 'Repair', exact: true }).click();
  await page.locator('.numbers .failed', { hasText: '2' }).waitFor();
});

inBrowsers('ordinary text is named as such', {}, async (window) => {
  await window.paste('# A note\n\nNothing of a conversation.\n');
  await window.summaryIs(/^No messages or tool calls were found in this text$/);
  assert.deepEqual(await window.problems(), []);
});
