// The browser, and the editors that are opened in it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { CodeServer } from './codeServer.mjs';
import { Workbench } from './workbench.mjs';
import { PATIENCE } from './wait.mjs';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export class Browser {
  constructor(setup) {
    this.setup = setup;
    this.opened = 0;
    this.servers = new Map();
    this.workbenches = new Map();
  }

  /**
   * An editor with a profile of its own, by name, in a folder with the profile's name. It stays open for all that ask for it.
   * `profile`: settings, env, extensions (another folder of them), prepare (fills the folder that is opened).
   */
  async open(name, profile = {}) {
    if (!this.workbenches.has(name)) {
      this.workbenches.set(name, await this.openNew(name, profile));
    }
    return this.workbenches.get(name);
  }

  async openNew(name, profile) {
    this.chromium ??= await chromium.launch({ executablePath: this.setup.executable, args: flags });
    // A second attempt begins with a user who has agreed to nothing.
    this.opened += 1;
    const home = path.join(this.setup.scratch, 'profiles', `${name}-${this.opened}`);
    const folder = path.join(this.setup.scratch, 'work', name);
    mkdirSync(folder, { recursive: true });
    profile.prepare?.(folder);
    const server = await CodeServer.start({ ...this.setup, home, ...profile, settings: { ...this.setup.kind, ...profile.settings } });
    this.servers.set(name, server);
    const page = await this.chromium.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...profile.page });
    page.setDefaultTimeout(PATIENCE);
    const workbench = new Workbench(page, server, folder);
    await workbench.load();
    return workbench;
  }

  /** Ends the editor of that name. */
  async end(name) {
    await this.workbenches.get(name)?.page.close();
    await this.servers.get(name)?.stop();
    this.workbenches.delete(name);
    this.servers.delete(name);
  }

  async close() {
    await this.chromium?.close();
    for (const server of this.servers.values()) {
      await server.stop();
    }
  }
}
