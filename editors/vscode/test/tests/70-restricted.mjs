// A workspace that is not trusted may not say which program is started.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
};
