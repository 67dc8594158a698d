// No server: neither in the extension nor on the PATH.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

export const profile = {
  name: 'missing',
  make({ extensions }) {
    const without = `${extensions}-without-server`;
    cpSync(extensions, without, { recursive: true });
    const [name] = readdirSync(without).filter((entry) => entry.startsWith('chatls.'));
    rmSync(path.join(without, name, 'server'), { recursive: true });
    return { extensions: without };
  },
};

export const shut = true;

export const tests = {
  async 'says that there is no server, with a button that helps'(vs) {
    await vs.create('none.chat.md', '**User:** Hello\n');
    const message = vs.notification(/chatls/);
    await message.first().waitFor();
    await message.getByRole('button', { name: 'How to Install' }).waitFor();
    await vs.command('chatls: Open Preview to the Side');
    const page = vs.webview();
    await page.getByRole('heading', { name: 'The language server is not running' }).waitFor();
    await page.getByRole('button', { name: 'Restart the server' }).waitFor();
    await message.getByRole('button', { name: 'How to Install' }).click();
    await vs.page.locator('.gettingStartedContainer').waitFor();
  },
};
