/** A dialog with a title, its content, and a row of buttons. */
import { button, element } from '../../../vscode/media/preview/dom';
import { textElement } from './parts';

let dialogs = 0;

export class Dialog {
  readonly content = element('div', 'content');
  readonly buttons = element('div', 'buttons');
  private readonly element = element('dialog');
  private readonly status = element('p', 'result');

  constructor(title: string, intro: string) {
    const heading = textElement('h2', title);
    heading.id = `dialog-${dialogs++}`;
    const close = button('close', () => { this.close(); });
    close.textContent = '✕';
    close.setAttribute('aria-label', 'Close');
    const header = element('header');
    header.append(heading, close);
    this.status.setAttribute('role', 'status');
    this.element.setAttribute('aria-labelledby', heading.id);
    this.element.append(header, textElement('p', intro, 'intro'), this.content, this.status, this.buttons);
    this.element.addEventListener('close', () => { this.element.remove(); });
    // A click beside the dialog closes it.
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) {
        this.close();
      }
    });
  }

  get isOpen(): boolean {
    return this.element.open;
  }

  open(): this {
    document.body.append(this.element);
    this.element.showModal();
    return this;
  }

  close(): void {
    this.element.close();
  }

  /** What was done, or why not. */
  say(message: string): void {
    this.status.textContent = message;
  }

  /** Waits for an answer; if it fails, shows the reason. */
  async run<T>(what: string, answer: () => Promise<T>): Promise<T | undefined> {
    this.say(`${what}…`);
    this.element.setAttribute('aria-busy', 'true');
    try {
      const result = await answer();
      this.say('');
      return result;
    } catch (error) {
      const reason = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
      this.say(reason);
      return undefined;
    } finally {
      this.element.removeAttribute('aria-busy');
    }
  }
}
