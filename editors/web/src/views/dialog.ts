/** A dialog with a title, its content, and a row of buttons. */
import { button, element } from '../../../vscode/media/preview/dom';
import { messageOf, textElement } from './parts';

let dialogs = 0;

/** Milliseconds after which an unwanted answer is worth a new engine. */
const LONG = 1000;

export class Dialog {
  readonly content = element('div', 'content');
  readonly buttons = element('div', 'buttons');
  private readonly element = element('dialog');
  private readonly status = element('p', 'result');

  private busySince: number | undefined;

  /** `cancel` ends what the engine does, if the dialog is closed meanwhile. */
  constructor(title: string, intro: string, cancel: () => void) {
    const heading = textElement('h2', title);
    heading.id = `dialog-${dialogs++}`;
    const close = button('close', () => { this.close(); });
    close.textContent = '✕';
    close.setAttribute('aria-label', 'Close');
    const header = element('div', 'title');
    header.append(heading, close);
    this.status.setAttribute('role', 'status');
    this.element.setAttribute('aria-labelledby', heading.id);
    this.element.append(header, textElement('p', intro, 'intro'), this.content, this.status, this.buttons);
    this.element.addEventListener('close', () => {
      this.element.remove();
      if (this.busySince !== undefined && performance.now() - this.busySince > LONG) {
        cancel();
      }
    });
    // A click beside the dialog closes it.
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) {
        this.close();
      }
    });
  }

  open(): this {
    document.body.append(this.element);
    this.element.showModal();
    return this;
  }

  close(): void {
    this.element.close();
  }

  /** Shows the outcome, or the reason why there is none. */
  say(message: string): void {
    this.status.textContent = message;
  }

  /** Waits for an answer; if it fails, shows the reason. */
  async run<T>(what: string, answer: () => Promise<T>): Promise<T | undefined> {
    this.say(`${what}…`);
    const hint = setTimeout(() => { this.say(`${what}… This takes a while: closing the dialog stops it.`); }, LONG);
    this.busySince = performance.now();
    this.element.setAttribute('aria-busy', 'true');
    try {
      const result = await answer();
      this.say('');
      return result;
    } catch (error) {
      this.say(messageOf(error));
      return undefined;
    } finally {
      clearTimeout(hint);
      this.busySince = undefined;
      this.element.removeAttribute('aria-busy');
    }
  }
}
