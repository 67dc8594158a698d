// Sessions of coding agents: listed, opened and repaired; also a large one.
import assert from 'node:assert/strict';
import path from 'node:path';
import { claudeCode } from '../driver/session.mjs';
import { waitForValue } from '../driver/wait.mjs';

// The editor asks before it reads a large file from another machine, as in a browser.
export const profile = { name: 'sessions', settings: { 'workbench.editorLargeFileConfirmation': 100 } };
export const shut = true;

const call = (id) => `{"role":"assistant","tool_calls":[{"id":"${id}","type":"function","function":{"name":"search","arguments":"{}"}}]}\n`;
const result = (id, text) => `{"role":"tool","tool_call_id":"${id}","content":"${text}"}\n`;
const user = '{"role":"user","content":"Go on"}\n';
const added = result('a', 'error: no result was recorded for this call');

export const tests = {
  async 'the changes of a repair are chosen, after a look at a diff'(vs) {
    const orphan = result('lost', 'late');
    const broken = `${call('a')}${user}${call('b')}${result('b', 'ok')}${orphan}`;
    await vs.create('broken.jsonl', broken);
    await vs.serverRuns();
    const rows = await repairRows(vs);
    await waitForValue('the rows', async () => rows.count(), 2);
    assert.match(await rows.nth(0).innerText(), /Add a result that says that none was recorded\s*line 1/);
    assert.equal(await rows.locator('input[type=checkbox], .monaco-checkbox').first().isVisible(), true);
    await vs.page.locator('.quick-input-widget [aria-label="Show the Changes as a Diff"]').click();
    await vs.page.locator('.tab', { hasText: 'broken.jsonl ↔ repaired' }).waitFor();
    await vs.page.keyboard.press('Escape');
    await vs.notification('broken.jsonl: nothing was changed').waitFor();
    await vs.open('broken.jsonl');
    // The first change alone.
    const again = await repairRows(vs);
    await again.nth(1).click();
    await accept(vs);
    await vs.waitForText('broken.jsonl', `${call('a')}${added}${user}${call('b')}${result('b', 'ok')}${orphan}`);
    await vs.notification('1 change made: Add a result that says that none was recorded (line 1)').waitFor();
    await repairRows(vs);
    await accept(vs);
    await vs.waitForText('broken.jsonl', `${call('a')}${added}${user}${call('b')}${result('b', 'ok')}`);
    await vs.command('chatls: Repair Conversation');
    await vs.notification('broken.jsonl: nothing to repair').waitFor();
  },

  async 'a session is chosen from those of this machine, and opens with its preview'(vs) {
    vs.write(path.join(homeOf(vs), '.claude/projects/p/abcd1234-0000.jsonl'), claudeCode({ title: 'Mend the sails', calls: 3, failed: 1 }));
    await vs.command('chatls: Open Session…');
    const row = vs.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Mend the sails' });
    await row.waitFor();
    assert.match(await row.innerText(), /claude-code · .*\n?.*\/w\/boat · 3 calls · 1 failed/s);
    await row.click();
    await vs.webview().locator('.tools').first().waitFor();
    await vs.tabStartingWith('abcd1234-0000.jsonl').waitFor();
  },

  async 'the side bar lists sessions by agent, and opens one'(vs) {
    await vs.create('beside.chat.md', '```tool\n{ "toolName": "look", "output": 1 }\n```\n');
    await vs.serverRuns();
    await vs.command('View: Show chatls');
    const row = vs.page.locator('.pane-body .monaco-list-row');
    await row.filter({ hasText: 'claude-code' }).waitFor();
    await row.filter({ hasText: /Mend the sails.*3 calls/ }).waitFor();
    await row.filter({ hasText: 'Mend the sails' }).click();
    await vs.tabStartingWith('abcd1234-0000.jsonl').waitFor();
    await vs.command('View: Show Explorer');
  },

  async 'JSON documents with messages are taken by their names, beside the checks of the editor'(vs) {
    const messages = `[${user.trim()},\n${result('lost', 'x').trim()}]\n`;
    await vs.create('run.traj.json', messages);
    await vs.squiggle('warning');
    assert.match((await vs.problems()).join('\n'), /orphan-result/);
    await vs.focusFirstGroup();
    // Without a configuration, JSON that begins with messages is taken, too.
    await vs.create('talk.json', messages);
    await vs.squiggle('warning');
    await vs.focusFirstGroup();
    await vs.create('other.json', '{"name": "boat" "version": 1}\n');
    await vs.squiggle('error');
    const rows = (await vs.problems()).filter((row) => /chatls/.test(row));
    assert.ok(rows.length > 0 && rows.every((row) => !/expected/i.test(row)), rows.join('\n'));
    assert.equal(await vs.statusBarItem().isVisible(), false);
    await vs.focusFirstGroup();
    await vs.create('broken.traj.json', messages.replace(',', ''));
    await vs.squiggle('error');
    assert.doesNotMatch((await vs.problems()).join('\n'), /invalid-json/);
  },

  async 'JSON documents are taken if a configuration includes them'(vs) {
    // Its beginning, which is all that is looked at, does not show the messages.
    const note = 'x'.repeat(70_000);
    const messages = `{"note":"${note}",\n"messages":[${user.trim()},\n${result('lost', 'x').trim()}]}\n`;
    vs.write('a [b]/1.json', messages);
    vs.write('package.json', '{}\n');
    await vs.open('a [b]/1.json');
    assert.equal(await vs.statusBarItem().isVisible(), false);
    vs.write('chatls.toml', 'include = ["a*/*.json"]\n');
    await vs.serverRuns();
    await vs.squiggle('warning');
    assert.match((await vs.problems()).join('\n'), /orphan-result/);
    await vs.focusFirstGroup();
    await vs.open('package.json');
    await waitForValue('the item in other JSON', async () => vs.statusBarItem().isVisible(), false);
    await vs.open('a [b]/1.json');
    await vs.serverRuns();
    vs.remove('chatls.toml');
    await waitForValue('the item', async () => vs.statusBarItem().isVisible(), false);
  },

  async 'documents of other languages are taken by the rule that finds files in folders'(vs) {
    const records = `${user}${result('lost', 'x')}`;
    vs.write('rule/chatls.toml', 'include = ["*.log", "*.jsonc"]\n');
    for (const [name, text] of [['run.log', records], ['run.jsonc', `[${records.trim().replace('\n', ',\n')}]\n`]]) {
      await vs.create(`rule/${name}`, text);
      await vs.serverRuns();
      await vs.squiggle('warning');
      assert.match((await vs.problems()).join('\n'), new RegExp(`${name.replace('.', '\\.')}[^]*orphan-result`));
      await vs.focusFirstGroup();
    }
    // Other programs own these.
    await vs.create('other.log', records);
    await waitForValue('the item in another log', async () => vs.statusBarItem().isVisible(), false);
    vs.remove('rule/chatls.toml');
  },

  async 'the conversation of a log becomes a new Markdown document'(vs) {
    await vs.create('convert.jsonl', `${user}${call('a')}${result('a', 'ok')}`);
    await vs.serverRuns();
    await vs.command('chatls: Convert Conversation to New Document…');
    await vs.choose('<tool> tags');
    await vs.line('<tool>search()');
    await vs.notification('The conversion drops 1 id').waitFor();
    assert.match((await vs.lines()).join('\n'), /Go on/);
    await vs.command('View: Revert and Close Editor');
  },

  async 'a session of 40 MB is opened, shown, searched, repaired and saved'(vs, measures) {
    const text = claudeCode({ title: 'A long voyage', calls: 20_000, failed: 9999, lost: 15_000, size: 40e6 });
    const began = performance.now();
    await vs.create('voyage.jsonl', text);
    await waitForValue('the numbers of the session', async () => vs.statusBarItem().getAttribute('aria-label').catch(() => ''), (label) => /20000 tool calls, 1 failed/.test((label ?? '').replaceAll(' · ', ', ')), 120_000);
    measures.set('a session of 40 MB, until its calls are counted', `${Math.round(performance.now() - began)} ms`);
    await vs.command('chatls: Open Preview to the Side');
    await vs.webview().locator('.tools').first().waitFor({ timeout: 120_000 });
    await vs.focusFirstGroup();
    await vs.command('chatls: Go to Next Failed Call');
    const line = text.slice(0, text.indexOf('"call_9999"')).split('\n').length;
    await waitForValue('the line of the failed call', async () => vs.cursorLine(), line, 120_000);
    const shown = `"uuid":"00000000-0000-4000-8000-${String(line - 1).padStart(12, '0')}"`;
    await vs.line(shown);
    await repairRows(vs, 120_000);
    await accept(vs);
    // It is written in parts.
    const lines = text.split('\n').length + 1;
    const saved = await waitForValue('the repaired file', () => vs.read('voyage.jsonl'), (now) => now.split('\n').length === lines, 120_000);
    assert.ok(saved.includes('no result was recorded'));
    // The preview, which had less to scroll when the panel went, has not moved the editor.
    await vs.line(shown);
  },
};

/** Begins to repair the document in front. Returns the rows with the changes. */
async function repairRows(vs, timeout = 30_000) {
  await vs.command('chatls: Repair Conversation');
  await vs.page.locator('.quick-input-title', { hasText: 'Repair' }).waitFor({ timeout });
  const rows = vs.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor({ timeout });
  return rows;
}

/** Makes the changes that are ticked. */
async function accept(vs) {
  await vs.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
}

/** The home folder of the editor, relative to the open folder. */
function homeOf(vs) {
  return path.relative(vs.folder, path.resolve(vs.server.settingsFile, '../../..'));
}
