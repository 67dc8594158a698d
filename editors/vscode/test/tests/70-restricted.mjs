// A workspace that is not trusted may not say which program is started.
import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';

export const profile = {
  name: 'restricted',
  settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
};

export const shut = true;

export const tests = {
  async 'works in restricted mode, with the server of the extension alone'(vs) {
    const witness = path.join(vs.folder, 'started');
    vs.write('evil.sh', `#!/bin/sh\ntouch '${witness}'\n`);
    chmodSync(path.join(vs.folder, 'evil.sh'), 0o755);
    vs.write('.vscode/settings.json', JSON.stringify({ 'chatls.path': path.join(vs.folder, 'evil.sh') }));
    await vs.create('restricted.chat.md', '```tool\n{ "toolName": "search", "state": "done" }\n```\n');
    await vs.squiggle('error');
    await vs.page.locator('.statusbar-item').filter({ hasText: 'Restricted Mode' }).waitFor();
    assert.equal(existsSync(witness), false, 'the program that the workspace names was started');
  },
};
