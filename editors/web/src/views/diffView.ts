/** A diff to read: removed and added lines with those around them. */
import { element } from '../../../vscode/media/preview/dom';
import { plural } from '../../../vscode/src/counts';
import type { DiffLine } from '../text/diff';
import { textElement } from './parts';

const SIGNS = { kept: ' ', removed: '−', added: '+', gap: '⋯' };
const NAMES = { kept: '', removed: 'removed: ', added: 'added: ', gap: '' };

export function diffElement({ lines, left }: { lines: readonly DiffLine[]; left: number }): HTMLElement {
  const box = element('div', 'diff');
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Changes');
  // It scrolls, so the keyboard must reach it.
  box.tabIndex = 0;
  box.append(...lines.map(lineElement));
  if (left > 0) {
    box.append(textElement('div', `${plural(left, 'more changed place')} not shown`, 'gap'));
  }
  return box;
}

function lineElement(line: DiffLine): HTMLElement {
  const row = element('div', `line ${line.kind}`);
  const number = textElement('span', line.number === undefined ? '' : String(line.number), 'number');
  const sign = textElement('span', SIGNS[line.kind], 'sign');
  number.setAttribute('aria-hidden', 'true');
  sign.setAttribute('aria-hidden', 'true');
  const code = element('code');
  code.append(textElement('span', NAMES[line.kind], 'hidden-words'), ...textParts(line));
  row.append(number, sign, code);
  return row;
}

function textParts({ kind, text, from = 0, to = 0 }: DiffLine): (string | HTMLElement)[] {
  if (to <= from) {
    return [text];
  }
  const mark = textElement(kind === 'removed' ? 'del' : 'ins', text.slice(from, to));
  return [text.slice(0, from), mark, text.slice(to)];
}
