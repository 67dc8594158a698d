/** Small parts of the page. */
import { button, element } from '../../../vscode/media/preview/dom';

export function textElement<K extends keyof HTMLElementTagNameMap>(name: K, text: string, className?: string): HTMLElementTagNameMap[K] {
  const made = element(name, className);
  made.textContent = text;
  return made;
}

export function textButton(text: string, action: () => void, className = 'button'): HTMLButtonElement {
  const made = button(className, action);
  made.textContent = text;
  return made;
}

/** A sentence of which some words are code, between back quotes. */
export function withCode(words: string): (string | HTMLElement)[] {
  return sentence(words).split('`').map((part, index) => (index % 2 === 1 ? textElement('code', part) : part));
}

export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A tick box with its words. */
export function tick(words: string, detail: string, isTicked: boolean, changed: () => void): { element: HTMLLabelElement; input: HTMLInputElement } {
  const label = element('label', 'tick');
  const input = element('input');
  input.type = 'checkbox';
  input.checked = isTicked;
  input.addEventListener('change', changed);
  const text = element('span');
  text.append(textElement('span', words, 'words'));
  if (detail !== '') {
    text.append(' ', textElement('span', detail, 'quiet'));
  }
  label.append(input, text);
  return { element: label, input };
}

export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
