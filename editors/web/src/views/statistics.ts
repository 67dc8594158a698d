/** The statistics of a document: numbers, and a bar for each tool. */
import { element } from '../../../vscode/media/preview/dom';
import { plural } from '../../../vscode/src/counts';
import { sizeOf } from '../text/save';
import { textElement } from './parts';

interface Counts {
  calls: number;
  done: number;
  failed: number;
  pending: number;
}

/** Of none, there is no median. */
interface Sizes {
  count: number;
  sum: number;
  median: number | null;
}

/** As `chatls stats --format json` writes it. */
export interface Statistics extends Counts {
  batches: Sizes;
  /** Without a name: results without a call. */
  tools: (Counts & { toolName: string | null; inputBytes: Sizes; outputBytes: Sizes })[];
  failures: { count: number; toolName: string | null; kind: string; example: { line: number } }[];
  otherFailures: number;
}

const NAMELESS = 'without a call';

export function statisticsElements(statistics: Statistics, reveal: (line: number) => void): HTMLElement[] {
  if (statistics.calls === 0) {
    return [textElement('p', 'There are no tool calls in this document.', 'quiet')];
  }
  return [
    numbers(statistics),
    textElement('h3', 'Calls by tool'),
    bars(statistics),
    textElement('h3', 'Sizes'),
    sizes(statistics),
    ...failures(statistics, reveal),
  ];
}

function numbers({ calls, done, failed, pending, batches }: Statistics): HTMLElement {
  const list = element('dl', 'numbers');
  const rows: [string, number][] = [['tool calls', calls], ['done', done], ['failed', failed], ['pending', pending], ['batches', batches.count]];
  for (const [name, value] of rows) {
    const row = element('div', value > 0 ? name.replace('tool ', '') : '');
    row.append(textElement('dt', name), textElement('dd', value.toLocaleString('en')));
    list.append(row);
  }
  return list;
}

/** A bar in three parts for each tool. The words beside it say the same. */
function bars({ tools }: Statistics): HTMLElement {
  const most = Math.max(...tools.map(({ calls }) => calls), 1);
  const list = element('ul', 'bars');
  for (const { toolName, calls, done, failed, pending } of tools) {
    const row = element('li');
    const bar = element('span', 'meter');
    bar.setAttribute('aria-hidden', 'true');
    for (const [kind, count] of [['done', done], ['failed', failed], ['pending', pending]] as const) {
      const part = element('span', kind);
      part.style.width = `${(100 * count) / most}%`;
      bar.append(part);
    }
    const states = [failed > 0 && `${failed} failed`, pending > 0 && `${pending} pending`].filter(Boolean).join(', ');
    row.append(textElement('span', toolName ?? NAMELESS, 'tool'), bar, textElement('span', [plural(calls, 'call'), states].filter(Boolean).join(', '), 'words'));
    list.append(row);
  }
  return list;
}

function sizes({ tools }: Statistics): HTMLElement {
  const table = element('table');
  const head = table.createTHead().insertRow();
  for (const name of ['Tool', 'Input, median', 'Output, median', 'Output, in all']) {
    const cell = textElement('th', name);
    cell.scope = 'col';
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { toolName, inputBytes, outputBytes } of tools) {
    const row = body.insertRow();
    const name = textElement('th', toolName ?? NAMELESS);
    name.scope = 'row';
    row.append(name, ...[inputBytes.median, outputBytes.median, outputBytes.sum].map((bytes) => textElement('td', bytes === null ? '–' : sizeOf(bytes))));
  }
  const box = element('div', 'table');
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Sizes');
  box.append(table);
  return box;
}

function failures({ failures: found, otherFailures }: Statistics, reveal: (line: number) => void): HTMLElement[] {
  if (found.length === 0) {
    return [];
  }
  const list = element('ul', 'failures');
  for (const { count, toolName, kind, example } of found) {
    const row = element('li');
    const go = textElement('button', kind, 'place');
    go.type = 'button';
    go.title = 'Show in the text';
    go.addEventListener('click', () => { reveal(example.line - 1); });
    row.append(textElement('span', `${toolName ?? NAMELESS}${count > 1 ? `, ${count} times` : ''}: `, 'tool'), go);
    list.append(row);
  }
  const more = otherFailures > 0 ? [textElement('p', plural(otherFailures, 'other failure'), 'quiet')] : [];
  return [textElement('h3', 'Failures'), list, ...more];
}
