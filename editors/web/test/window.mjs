// The page in a window, and what a person does in it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitFor } from '../../vscode/test/driver/wait.mjs';

export const ADDRESS = pathToFileURL(process.env.PAGE).href;
export const DOWNLOADS = path.join(process.env.SCRATCH, 'downloads');

/** Of Chromium. */
export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export class Window {
  /** Errors of the page, and requests for anything but the page. */
  faults = [];

  constructor(page, browser) {
    this.page = page;
    this.browser = browser;
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && this.faults.push(message.text()));
    page.on('request', (request) => {
      const isOwn = [this.address, 'blob:', 'data:', 'about:'].some((start) => request.url().startsWith(start));
      if (!isOwn) {
        this.faults.push(`request for ${request.url()}`);
      }
    });
  }

  async load(address) {
    this.address = address.replace(/#.*/, '');
    await this.page.goto(address);
  }

  /** Pastes as a person does, from another window. */
  async paste(text) {
    const other = await this.page.context().newPage();
    await other.setContent('<textarea>');
    await other.locator('textarea').fill(text);
    await other.locator('textarea').press('Control+a');
    await other.locator('textarea').press('Control+c');
    await other.close();
    await this.page.bringToFront();
    await this.page.keyboard.press('Control+v');
  }

  button(name, exact = true) {
    return this.page.getByRole('button', { name, exact });
  }

  tab(name) {
    return this.page.getByRole('tab', { name });
  }

  dialog() {
    return this.page.getByRole('dialog');
  }

  chat() {
    return this.page.frameLocator('iframe.chat');
  }

  summary() {
    return this.page.locator('.summary');
  }

  /** Waits for a number of problems, or for a summary that matches. */
  async summaryIs(expected) {
    await waitFor(`the summary ${expected}`, async () => expected.test(await this.summary().innerText()) || undefined);
  }

  async problems() {
    return this.page.locator('.problem .message').allInnerTexts();
  }

  /** The text in the editor; only of documents that are small enough to be drawn as a whole. */
  async text() {
    return (await this.page.locator('.cm-line').allTextContents()).join('\n');
  }

  /** The text of the file that is saved by `action`. */
  async saved(name, action) {
    if (this.browser === 'Firefox') {
      await action();
      return waitFor(`the file ${name}`, () => read(path.join(DOWNLOADS, name)));
    }
    const [download] = await Promise.all([this.page.waitForEvent('download'), action()]);
    assert.equal(download.suggestedFilename(), name);
    return readFileSync(await download.path(), 'utf8');
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
