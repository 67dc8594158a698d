// A person with a broken session in the clipboard.
import assert from 'node:assert/strict';
import { BROKEN, inBrowsers } from './driver.mjs';

inBrowsers('a pasted session is checked, repaired and saved', {}, async (window) => {
  await window.paste(BROKEN);
  await window.summaryIs(/^7 tool calls · 1 failed · 2 pending · 3 problems$/);
  const problems = await window.problems();
  assert.equal(problems.length, 3);
  assert.match(problems[0], /^The call toolu_04 has no result/i);
  await window.chat().getByText('The tests of the parser fail since yesterday').waitFor();
  await window.chat().getByText('2 tool calls · 1 failed').waitFor();

  await window.button('Repair (3)').click();
  const dialog = window.dialog();
  await dialog.getByText('Add a result that says that none was recorded').waitFor();
  const removed = await dialog.locator('.diff .removed').allInnerTexts();
  const added = await dialog.locator('.diff .added').allInnerTexts();
  assert.ok(removed.some((line) => line.includes('toolu_99')), removed.join('\n'));
  assert.ok(added.some((line) => line.includes('no result was recorded')), added.join('\n'));
  const repaired = await window.saved('pasted-repaired.jsonl', () => dialog.getByRole('button', { name: 'Repair and save' }).click());
  const records = repaired.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(records.length, 11);
  assert.ok(!repaired.includes('toolu_99'));
  assert.ok(records.some(({ message }) => message.content[0]?.tool_use_id === 'toolu_04'));
  await window.summaryIs(/^5 tool calls · 2 failed$/);
  assert.deepEqual(await window.problems(), []);
});

inBrowsers('a change that is not ticked is not made, and undo takes the others back', {}, async (window) => {
  await window.button('Try a broken session').click();
  await window.button('Repair (3)').click();
  const dialog = window.dialog();
  await dialog.getByLabel('Remove the result').uncheck();
  await dialog.locator('.diff').getByText('toolu_99').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Repair', exact: true }).click();
  await window.summaryIs(/· 1 problem$/);
  assert.deepEqual((await window.problems()).map((words) => /toolu_\d+/.exec(words)?.[0]), ['toolu_99']);
  await window.page.locator('.cm-content').focus();
  await window.page.keyboard.press('Control+z');
  await window.summaryIs(/· 3 problems$/);
});

inBrowsers('by keyboard alone', {}, async (window) => {
  const { page } = window;
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (words) => {
    for (let step = 0; step < 40; step++) {
      if (words.test(await focused())) {
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${words}`);
  };
  await tabTo(/^Try a broken session$/);
  await page.keyboard.press('Enter');
  await window.button('Repair (3)').waitFor();
  await tabTo(/^Repair \(3\)$/);
  await page.keyboard.press('Enter');
  await window.dialog().locator('.diff').waitFor();
  await tabTo(/^Repair$/);
  await page.keyboard.press('Enter');
  await window.summaryIs(/^5 tool calls · 2 failed$/);
  await window.dialog().waitFor({ state: 'detached' });

  // The focus is where it was; Escape closes a dialog; arrow keys go through tabs.
  await tabTo(/^Convert$/);
  await page.keyboard.press('Enter');
  await window.dialog().waitFor();
  await page.keyboard.press('Escape');
  await window.dialog().waitFor({ state: 'detached' });
  assert.equal(await focused(), 'Convert');
  await tabTo(/^Chat$/);
  await page.keyboard.press('ArrowRight');
  await page.getByText('Calls by tool').waitFor();
  assert.equal(await focused(), 'Statistics');
});
