// Copies: redacted, converted, shared.
import assert from 'node:assert/strict';
import { inBrowsers, sample } from './driver.mjs';

inBrowsers('a redacted copy names what it replaces', {}, async (window) => {
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.button('Redact').click();
  const dialog = window.dialog();
  await dialog.getByText('Replaces 4 home folders, 1 user name.').waitFor();
  assert.ok((await dialog.locator('.diff ins').allInnerTexts()).length > 0);
  const copy = await window.saved('broken-session-redacted.jsonl', () => dialog.getByRole('button', { name: 'Save copy' }).click());
  assert.ok(!copy.includes('/home/jane'), copy);
  // The document is as it was.
  assert.ok((await window.text()).includes('/home/jane'));
});

inBrowsers('a conversion names what it loses', {}, async (window) => {
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.button('Convert').click();
  const dialog = window.dialog();
  await dialog.getByText(/^This form drops .*error status/).waitFor();
  await dialog.getByRole('combobox').selectOption('anthropic');
  await dialog.locator('.shown', { hasText: '"tool_use"' }).waitFor();
  await dialog.getByRole('button', { name: 'Open as new document' }).click();
  await window.tab('broken-session.anthropic.json').waitFor();
  await window.summaryIs(/tool calls/);
  await window.chat().getByText('The tests of the parser fail').waitFor();
});

inBrowsers('a conversion that is refused gives the reason', {}, async (window) => {
  await window.paste('# A note\n\nNothing of a conversation.\n');
  await window.summaryIs(/^No messages/);
  await window.button('Convert').click();
  const dialog = window.dialog();
  await dialog.locator('.result', { hasText: /\w{4}/ }).waitFor();
  await dialog.getByText('Converting…').waitFor({ state: 'detached' });
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
});

inBrowsers('the chat as one file, redacted', {}, async (window) => {
  await window.button('Try a broken session').click();
  await window.summaryIs(/problems$/);
  await window.button('Share').click();
  const html = await window.saved('broken-session.html', () => window.dialog().getByRole('button', { name: 'Save as HTML file' }).click());
  assert.match(html, /The tests of the parser fail since yesterday/);
  assert.doesNotMatch(html, /<script|\/home\/jane/);
});

inBrowsers('a link contains the document', {}, async (window) => {
  const text = sample('fence.chat.md');
  await window.paste(text);
  await window.summaryIs(/tool call/);
  await window.button('Share').click();
  const dialog = window.dialog();
  await dialog.getByLabel('Redact first').uncheck();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByText(/characters\./).waitFor();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  assert.ok(link.startsWith(`${window.address}#t=`) && link.length < 4000, link);

  const other = await window.page.context().newPage();
  await other.goto(link);
  await other.getByRole('tab', { name: 'pasted.md' }).waitFor();
  await other.locator('.summary', { hasText: 'tool call' }).waitFor();
  const shown = (await other.locator('.cm-line').allTextContents()).join('\n');
  assert.ok(text.startsWith(shown.slice(0, 300)), shown.slice(0, 300));
  await other.close();
});

inBrowsers('a link that is cut says so', {}, async (window) => {
  await window.load(`${window.address}#t=abc`);
  await window.page.reload();
  await window.page.getByText('The link cannot be read').waitFor();
});

inBrowsers('dropped files are opened', {}, async (window) => {
  const { page } = window;
  await page.evaluate((texts) => {
    const dataTransfer = new DataTransfer();
    texts.forEach(([name, text]) => dataTransfer.items.add(new File([text], name)));
    document.querySelector('.start').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, [['windows.chat.md', sample('fence.chat.md').replaceAll('\n', '\r\n')], ['session.jsonl', sample('session.jsonl')]]);
  await window.tab('session.jsonl').waitFor();
  await window.summaryIs(/^3 tool calls · 1 failed/);
  await window.tab('windows.chat.md').click();
  await window.summaryIs(/tool call/);
  // Its lines end as before.
  const text = await window.saved('windows.chat.md', () => window.button('Save').click());
  assert.equal(text, sample('fence.chat.md').replaceAll('\n', '\r\n'));
});

inBrowsers('several documents stay as they were left', {}, async (window) => {
  await window.paste(sample('fence.chat.md'));
  await window.summaryIs(/tool call/);
  await window.page.locator('.cm-content').press('Control+End');
  await window.page.keyboard.type('kept');
  await window.page.locator('.top').click();
  await window.paste(sample('session.jsonl'));
  await window.summaryIs(/^3 tool calls · 1 failed/);
  assert.deepEqual(await window.page.getByRole('tablist', { name: 'Documents' }).getByRole('tab').allInnerTexts(), ['● pasted.md', 'pasted.jsonl']);
  await window.tab('pasted.md').click();
  await window.page.locator('.cm-line', { hasText: 'kept' }).waitFor();
  const text = await window.saved('pasted.md', () => window.button('Save').click());
  assert.equal(text, `${sample('fence.chat.md')}kept`);
  await window.button('Close document').click();
  await window.summaryIs(/^3 tool calls/);
  await window.button('Close document').click();
  await window.page.getByRole('textbox', { name: 'Paste a transcript here' }).waitFor();
});
