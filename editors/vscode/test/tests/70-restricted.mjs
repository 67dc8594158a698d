// A workspace that is not trusted may not say which program is started.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { palette } from '../driver/looks.mjs';

export const profile = {
  name: 'restricted',
  settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
  prepare(folder) {
    const program = path.join(folder, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${path.join(folder, 'started')}'\n`, { mode: 0o755 });
    mkdirSync(path.join(folder, '.vscode'));
    writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'chatls.path': program }));
  },
};

export const shut = true;

export const tests = {
  async 'works in restricted mode, with the server of the extension alone'(vs) {
    await vs.create('restricted.chat.md', '```tool\n{ "toolName": "search", "state": "done" }\n```\n');
    await vs.squiggle('error');
    await vs.page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' }).waitFor();
    assert.equal(existsSync(path.join(vs.folder, 'started')), false, 'the program that the workspace names was started');
  },

  async 'runs nothing in restricted mode, and offers it when the workspace is trusted'(vs) {
    vs.remove('.vscode/settings.json');
    vs.write('chatls.toml', '[run.search]\ncommand = ["sh", "program.sh"]\n');
    await vs.create('run.chat.md', '```tool\n{ "toolName": "search", "input": {} }\n```\n');
    await vs.serverRuns();
    const lenses = vs.editor().locator('.codelens-decoration a');
    await lenses.filter({ hasText: 'Complete' }).waitFor();
    assert.deepEqual(await lenses.filter({ hasText: 'Run' }).count(), 0);
    assert.deepEqual(await palette(vs, 'chatls: Run'), []);
    await vs.command('Workspaces: Manage Workspace Trust');
    await vs.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await vs.open('run.chat.md');
    await lenses.filter({ hasText: 'Run' }).waitFor();
    assert.deepEqual(await palette(vs, 'chatls: Run'), ['chatls: Run All Pending Calls', 'chatls: Run Call', 'chatls: Run Call Again']);
    assert.equal(existsSync(path.join(vs.folder, 'started')), false, 'a program was started that nobody ran');
  },
};
