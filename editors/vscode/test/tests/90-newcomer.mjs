// The first hour with the extension at its defaults: ordinary files stay as they were, and transcripts are shown, edited,
// renamed, folded and closed as a person would.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ordinary, transcripts } from '../data/project.mjs';
import { breadcrumbs, contextMenu, drawn, outline, palette, settled, symbols, waitForDrawn } from '../driver/looks.mjs';
import { waitFor, waitForValue } from '../driver/wait.mjs';

const all = { ...ordinary, ...transcripts };
const FENCE = '```';

/** The settings are those of the tests, not of chatls: files are saved by a key, and other extensions stay quiet. */
export const profile = {
  name: 'newcomer',
  settings: {
    'files.autoSave': 'off',
    'files.simpleDialog.enable': true,
    'json.schemaDownload.enable': false,
    'debug.javascript.codelens.npmScripts': 'never',
  },
  prepare(folder) {
    rmSync(path.join(folder, '.vscode'), { recursive: true, force: true });
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  },
};
export const shut = true;

const NOTHING = { squiggles: 0, lenses: 0, labels: 0, statusBarItem: false };
const WEATHER = { squiggles: 0, lenses: 0, labels: 1, statusBarItem: true };
/** The opened files; those in `node_modules` are ignored. */
const opened = Object.keys(ordinary).filter((name) => !name.startsWith('node_modules'));

const prose = `
## Notes

Use \`tool\` here: a <kbd>key</kbd>, "quoted" (so).

- [ ] one
- [two](three.md)

| tool | use |
|------|-----|

${FENCE}json
{ "a": [1, 2] }
${FENCE}

<tool>x</tool>
`;

/** The editor's offers for a document if there is a provider; Markdown has none. */
const OURS = /^(?:Tool Calls|Format Document(?! With)|Go to Declaration|Go to Implementations)/;

/** The text typed into each, at its end. */
const edits = {
  'README.md': prose,
  'CHANGELOG.md': '\n## 0.9.0\n\n- `toolName` is gone\n- <tool> too\n',
  'src/index.js': '\n// tool: see "README.md"\n',
  'chats/weather.chat.md': '\n**User:** And in "Rome"?\n\n- a <b>list</b>\n- of [two](b.md)\n',
  'chats/files.md': '\nThe `<tool>` is done.\n',
};

export const tests = {
  async 'newcomer: ordinary files look as they did'(vs) {
    // So that the server runs, and has had the time to look through the folder.
    await vs.open('chats/weather.chat.md');
    await vs.serverRuns();
    for (const name of opened) {
      await vs.open(name);
      await settled(vs);
      assert.deepEqual(await drawn(vs), NOTHING, name);
    }
    assert.equal(await problemCount(vs), 'No Problems');
    // The contents of a dependency are not listed.
    assert.equal((await workspaceSymbols(vs, 'polish')).some((row) => row.startsWith('polish')), false);
    assert.ok((await workspaceSymbols(vs, 'search')).some((row) => row.startsWith('search')));
  },

  async 'newcomer: headings are listed once'(vs) {
    const headings = ['# Widgets', '## Install', '## Usage', '### User', '## Licence'];
    await vs.open('README.md');
    await settled(vs);
    assert.deepEqual(await outline(vs), headings);
    assert.deepEqual(await symbols(vs), headings);
    await vs.goTo(12);
    await waitForValue('breadcrumbs', async () => breadcrumbs(vs), ['# Widgets', '## Install']);
    await vs.open('docs/api.md');
    await settled(vs);
    assert.deepEqual(await outline(vs), ['# Chat API', '## User', '## Assistant']);
    assert.deepEqual(await symbols(vs), ['# Chat API', '## User', '## Assistant']);
  },

  async 'newcomer: menus and palette of ordinary files stay as they were'(vs) {
    await vs.open('README.md');
    await settled(vs);
    const menu = await contextMenu(vs);
    assert.deepEqual(menu.filter((entry) => OURS.test(entry)), []);
    const names = ['Create chatls.toml', 'How to Install the Server', 'Insert Tool Call…', 'Open a Sample Transcript', 'Open Session…', 'Restart Server', 'Show Logs', 'Show Menu'];
    // VS Code has a command for each view, once a transcript was open in the window.
    const ours = (await palette(vs, 'chatls')).filter((entry) => !/: Focus on .* View$/.test(entry));
    assert.deepEqual(ours, names.map((name) => `chatls: ${name}`));
    await vs.open('chats/weather.chat.md');
    await settled(vs);
    const entries = (await contextMenu(vs)).filter((entry) => OURS.test(entry)).map((entry) => OURS.exec(entry)[0]);
    assert.deepEqual(entries, ['Go to Declaration', 'Go to Implementations', 'Format Document', 'Tool Calls']);
  },

  async 'newcomer: what is typed is what is saved, and undone'(vs) {
    await editEach(vs, Object.keys(edits));
  },

  async 'newcomer: what is typed is what is saved, with format on save'(vs) {
    vs.write('.vscode/settings.json', JSON.stringify({ 'editor.formatOnSave': true }));
    await editEach(vs, ['README.md', 'chats/weather.chat.md']);
    vs.remove('.vscode/settings.json');
  },

  async 'newcomer: a transcript lists messages, batches and calls'(vs) {
    await vs.open('chats/weather.chat.md');
    await waitForDrawn(vs, WEATHER);
    assert.equal((await vs.statusBarItem().innerText()).trim(), '2 tool calls · 1 failed');
    // Not all of its rows have room.
    const rows = [
      'Markdown Language Features', '# Weather', 'chatls', 'User: What is the weather in Paris?', 'Assistant: I\'ll look.',
      '2 tool calls1 failed', 'get_weather(city=Paris) → sunny', 'get_weather(city=Atlantis) ✗ unknown city',
    ];
    const isPart = (found) => found.every((row) => rows.includes(row)) && new Set(found).size === found.length;
    await waitForValue('the outline', async () => outline(vs), (found) => isPart(found) && found.includes(rows[4]));
    assert.deepEqual(await symbols(vs), ['# Weather', 'User: What is the weather in Paris?', 'Assistant: I\'ll look.', '2 tool calls', 'get_weather', 'get_weather']);
    await vs.goTo(12);
    const crumbs = ['chatls', 'Assistant: I\'ll look.', '2 tool calls', 'get_weather'];
    await waitForValue('breadcrumbs', async () => breadcrumbs(vs), crumbs);
    await vs.goTo(31);
    await vs.page.keyboard.press('End');
    await waitForValue('breadcrumbs', async () => breadcrumbs(vs), crumbs.slice(0, 2));
    for (const key of ' It may rain.') {
      await vs.page.keyboard.type(key);
      await vs.page.waitForTimeout(60);
      assert.deepEqual(await breadcrumbs(vs), crumbs.slice(0, 2), 'while somebody types');
    }
    await undoAll(vs, 'chats/weather.chat.md');
    // Few things are offered for a call that nothing is wrong with.
    await vs.goTo(12, 4);
    const actions = vs.page.locator('.action-widget .monaco-list-row.action');
    await vs.pressFor('Control+.', actions.first());
    assert.ok((await actions.count()) <= 5, (await actions.allInnerTexts()).join(', '));
    await vs.page.keyboard.press('Escape');
  },

  async 'newcomer: batches fold and unfold'(vs) {
    await vs.open('chats/weather.chat.md');
    await vs.serverRuns();
    await waitForDrawn(vs, WEATHER);
    const shown = async () => (await vs.lines()).filter((line) => line.trim() !== '');
    const before = await shown();
    await vs.command('chatls: Fold All Batches');
    await waitFor('the batch to fold', async () => !(await vs.lines()).some((line) => line.includes('toolName')));
    assert.match(await vs.line(`${FENCE}tool`), /🔧 2 tool calls · 1 failed/);
    await vs.line('It is sunny');
    await vs.command('chatls: Unfold All Batches and Tool Calls');
    await waitForValue('the lines', shown, before);
    assert.equal(vs.read('chats/weather.chat.md'), all['chats/weather.chat.md']);
  },

  async 'newcomer: goes to what failed, and back'(vs) {
    await vs.open('chats/weather.chat.md');
    await vs.serverRuns();
    await vs.goTo(1);
    await vs.command('chatls: Go to Next Failed Call');
    await vs.cursorAt(22);
    await vs.goTo(31);
    await vs.command('chatls: Go to Previous Failed Call');
    await vs.cursorAt(22);
  },

  async 'newcomer: what is drawn is what is listed after a rename, an undo, a revert and Save As'(vs) {
    const name = 'chats/faulty.chat.md';
    const fault = (id) => `${FENCE}tool\n{ "toolCallId": "${id}", "toolName": "f", "state": "done" }\n${FENCE}\n\n`;
    const text = `# Faulty\n\n${fault('call_1')}${fault('call_2')}The end.\n`;
    await vs.create(name, text);
    await drawsAll(vs, 'faulty.chat.md');
    await vs.goTo(4, 22);
    const box = vs.page.locator('.rename-box input');
    await vs.pressFor('F2', box);
    await box.fill('first');
    await vs.page.keyboard.press('Enter');
    await vs.line('"first"');
    await drawsAll(vs, 'faulty.chat.md');
    await vs.page.keyboard.press('Control+z');
    await vs.line('"call_1"');
    await drawsAll(vs, 'faulty.chat.md');
    await vs.page.keyboard.press('Control+Shift+z');
    await vs.line('"first"');
    await vs.command('File: Revert File');
    await vs.line('"call_1"');
    await drawsAll(vs, 'faulty.chat.md');
    await saveAs(vs, 'chats/other.chat.md');
    await drawsAll(vs, 'other.chat.md');
    assert.equal(vs.read(name), text);
    assert.equal(vs.read('chats/other.chat.md'), text);
    await vs.command('View: Close All Editor Groups');
    vs.remove(name);
    vs.remove('chats/other.chat.md');
    await waitForValue('the problems', async () => problemCount(vs), 'No Problems');
  },

  async 'newcomer: transcripts are closed and opened as they were, and nothing on the disk has changed'(vs) {
    for (const name of Object.keys(transcripts)) {
      await vs.open(name);
      await vs.serverRuns();
      await settled(vs);
      const before = [await drawn(vs), await vs.lines()];
      await vs.command('View: Close All Editor Groups');
      await waitFor('the editor to close', async () => (await vs.page.locator('.tabs-container .tab').count()) === 0);
      await waitForValue('the status bar item', async () => vs.statusBarItem().isVisible(), false);
      await vs.open(name);
      await waitForValue(name, async () => [await drawn(vs), await vs.lines()], before);
    }
    assert.deepEqual(filesBelow(vs.folder), Object.keys(all).sort());
    for (const [name, text] of Object.entries(all)) {
      assert.equal(vs.read(name), text, name);
    }
  },
};

/** Types into each file, saves, undoes all and saves again; looks at it meanwhile. */
async function editEach(vs, names) {
  for (const name of names) {
    const typed = edits[name];
    await vs.open(name);
    await vs.page.keyboard.press('Control+End');
    await vs.page.keyboard.type(typed, { delay: 10 });
    await save(vs);
    assert.equal(vs.read(name), all[name] + typed, name);
    if (name in ordinary) {
      assert.deepEqual(await drawn(vs), NOTHING, name);
    }
    await undoAll(vs, name);
  }
  assert.equal(await vs.page.locator('.notification-toast').count(), 0);
}

async function save(vs) {
  await vs.page.keyboard.press('Control+s');
  await waitFor('the file to be saved', async () => (await vs.page.locator('.tab.active.dirty').count()) === 0);
}

/** Undoes what was typed since the file was opened, and saves that. */
async function undoAll(vs, name) {
  await waitFor(`${name} to be as it was`, async () => {
    await vs.page.keyboard.press('Control+z');
    await vs.page.keyboard.press('Control+z');
    await vs.page.keyboard.press('Control+z');
    await save(vs);
    return vs.read(name) === all[name];
  });
}

async function saveAs(vs, name) {
  const rows = await vs.quickInput('F1', '>File: Save As...');
  await rows.first().click();
  const input = vs.page.locator('.quick-input-widget .quick-input-box input');
  await waitFor('the name to be asked for', async () => (await input.inputValue()).endsWith('.md'));
  await input.fill(path.join(vs.folder, name));
  await vs.page.keyboard.press('Enter');
  await vs.page.locator(`.tab.active[data-resource-name="${path.basename(name)}"]`).waitFor();
}

/** Waits until both diagnostics of the document are shown and listed. */
async function drawsAll(vs, name) {
  const squiggles = async () => vs.editor().locator('.squiggly-error').count();
  await waitForValue('squiggles', squiggles, 2);
  const rows = await vs.problems();
  assert.match(rows.find((row) => row.startsWith(name)) ?? '', /\n2$/);
  await vs.focusFirstGroup();
  assert.equal(await squiggles(), 2);
}

async function problemCount(vs) {
  return vs.page.locator('[id="status.problems"]').getAttribute('aria-label');
}

async function workspaceSymbols(vs, query) {
  const rows = await vs.quickInput('Control+p', `#${query}`);
  await waitFor('the symbols', async () => (await vs.page.locator('.quick-input-widget .monaco-progress-container.active').count()) === 0);
  await rows.first().waitFor();
  const found = await rows.allInnerTexts();
  await vs.page.keyboard.press('Escape');
  return found;
}

/** The names of all files, without those of the editor's settings. */
function filesBelow(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => statSync(path.join(folder, name)).isFile());
  return names.filter((name) => !name.startsWith('.vscode/')).sort();
}
