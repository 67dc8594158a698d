// Calls that run: consent, the result in the text, undo, cancelling, and the list of servers.
import assert from 'node:assert/strict';

/** Each test has a folder of its own in that of the editor. */
export const profile = { name: 'running' };
export const shut = true;

const pending = '```tool\n{ "toolName": "search", "input": { "query": "cats" } }\n```\n';
const config = '[run.search]\ncommand = ["sh", "search.sh"]\n';

/** A transcript with a call of the program `search`, which runs `script`. */
async function open(vs, folder, script) {
  vs.write(`${folder}/search.sh`, script);
  vs.write(`${folder}/chatls.toml`, config);
  await vs.create(`${folder}/${folder}.chat.md`, `Hi.\n\n${pending}`);
  await lens(vs, 'Run').waitFor();
  return `${folder}/${folder}.chat.md`;
}

function lens(vs, title) {
  return vs.editor().locator('.codelens-decoration a').filter({ hasText: new RegExp(`^${title}$`) });
}

/** Answers the dialog that has all these texts. */
async function answer(vs, texts, button) {
  const dialog = vs.page.locator('.monaco-dialog-box');
  for (const text of texts) {
    await dialog.filter({ hasText: text }).waitFor();
  }
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

async function agree(vs) {
  await answer(vs, ['Agree to start the program search', 'command: sh search.sh'], 'Agree');
  await answer(vs, ['This call may change something. Run it?', 'cats'], 'Run');
}

function running(vs) {
  return vs.page.locator('.statusbar-item').filter({ hasText: 'Running search' });
}

export const tests = {
  async 'a call runs after consent, and its result is one edit'(vs) {
    const file = await open(vs, 'once', "echo '{\"found\": 3}'\n");
    const before = vs.read(file);
    await lens(vs, 'Run').click();
    await answer(vs, ['Agree to start the program search'], 'Cancel');
    await lens(vs, 'Run').click();
    await agree(vs);
    await vs.waitForText(file, (text) => text.includes('"output"'));
    assert.match(vs.read(file), /"found": ?3/);
    await running(vs).waitFor({ state: 'hidden' });
    await vs.editor().locator('.view-line').first().click();
    await vs.page.keyboard.press('Control+z');
    await vs.waitForText(file, before);
    // The consent counts, and the other question comes each time.
    await vs.command('chatls: Run All Pending Calls');
    await answer(vs, ['This call may change something. Run it?'], 'Run');
    await vs.waitForText(file, (text) => text.includes('"output"'));
  },

  async 'a running call is cancelled, and the document is edited meanwhile'(vs) {
    const file = await open(vs, 'long', 'exec sleep 1000\n');
    await lens(vs, 'Run').click();
    await agree(vs);
    await running(vs).waitFor();
    await vs.goTo(1, 4);
    await vs.page.keyboard.type(' In between.');
    await running(vs).click();
    await vs.choose('Cancel search');
    await running(vs).waitFor({ state: 'hidden' });
    await vs.waitForText(file, `Hi. In between.\n\n${pending}`);
  },

  async 'a result whose call has changed meanwhile is offered'(vs) {
    await open(vs, 'changed', "while ! [ -e go ]; do sleep 0.1; done\necho '{\"found\": 3}'\n");
    await lens(vs, 'Run').click();
    await agree(vs);
    await running(vs).waitFor();
    await vs.goTo(4, 4);
    await vs.page.keyboard.type('"toolCallId": "x", ');
    await vs.waitForText('changed/changed.chat.md', (text) => text.includes('toolCallId'));
    vs.write('changed/go', '');
    await vs.notification('The result of search is not in the document.').getByRole('button', { name: 'Open Result' }).click();
    await vs.line('"found"');
    await vs.command('View: Revert and Close Editor');
  },

  async 'servers are listed with what they start, and consent is taken back'(vs) {
    await open(vs, 'listed', 'echo 1\n');
    await vs.command('chatls: Show Tool Servers');
    const row = vs.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'search' });
    await row.filter({ hasText: 'you have not agreed to start it' }).waitFor();
    await row.click();
    await vs.line('command: sh search.sh');
    await vs.open('listed/listed.chat.md');
    await lens(vs, 'Run').click();
    await agree(vs);
    await vs.waitForText('listed/listed.chat.md', (text) => text.includes('"output": 1'));
    await vs.command('chatls: Show Tool Servers');
    await row.filter({ hasText: 'a program, started for each call' }).hover();
    await row.getByRole('button', { name: 'Take Back Consent' }).click();
    await row.filter({ hasText: 'you have not agreed to start it' }).waitFor();
    await vs.page.keyboard.press('Escape');
    await vs.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  },
};
