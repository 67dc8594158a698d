/** The current step of a long wait, with a button that ends it. Short waits show nothing. */
import { element } from '../../../vscode/media/preview/dom';
import { textButton } from './parts';

/** Milliseconds until a wait is shown. */
const SHORT = 250;

export class Progress {
  readonly element = element('section', 'progress');
  private readonly words = element('p');
  private readonly bar = element('progress');
  private timer = 0;
  private began = 0;

  constructor(cancel: () => void) {
    this.element.setAttribute('aria-label', 'Progress');
    this.words.setAttribute('role', 'status');
    this.bar.setAttribute('aria-label', 'Progress');
    this.element.append(this.words, this.bar, textButton('Cancel', cancel));
    this.element.hidden = true;
  }

  /** `part`: of 1; undefined if it is unknown. */
  show(words: string, part?: number): void {
    if (this.timer === 0) {
      this.began = performance.now();
      this.timer = window.setInterval(() => { this.element.hidden = performance.now() - this.began < SHORT; }, 50);
    }
    this.words.textContent = words;
    if (part === undefined) {
      this.bar.removeAttribute('value');
    } else {
      this.bar.value = part;
    }
  }

  hide(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.element.hidden = true;
  }
}
