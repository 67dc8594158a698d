/** Parts of the page as HTML: pure, so that they can be tested without a page. */
import type { Message, ToolEntry, ToolsItem } from '../../src/protocol';
import { highlighted } from './highlight';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** The label of a batch: each of its parts marked, so that failures stand out. That of a single call is its own. */
export function labelHtml({ label, entries }: Pick<ToolsItem, 'label' | 'entries'>): string {
  const [only] = entries;
  if (only !== undefined && !isCount(label)) {
    return singleHtml(label, only);
  }
  const [count = '', ...states] = label.split(' · ');
  const [icon = '', ...words] = count.split(' ');
  const parts = states.map((state) => ` · <span class="${stateClass(state)}">${escape(state)}</span>`);
  return `<span aria-hidden="true">${escape(icon)}</span> <span class="count">${escape(words.join(' '))}</span>${parts.join('')}`;
}

/** Call and outcome apart: a long call leaves room for what came of it. */
function singleHtml(label: string, entry: ToolEntry): string {
  const head = `🔧 ${entry.call}`;
  if (!label.startsWith(head)) {
    return `<span class="single"><span>${escape(label)}</span></span>`;
  }
  const outcome = escape(label.slice(head.length).trim());
  const call = `<span><span aria-hidden="true">🔧</span> ${callHtml(entry)}</span>`;
  return `<span class="single">${call} <span class="came ${entry.status}">${outcome}</span></span>`;
}

function isCount(label: string): boolean {
  return /^\S+ \d+ tool calls?(?: · |$)/u.test(label);
}

function stateClass(state: string): string {
  return state.endsWith('failed') ? 'failed' : 'pending';
}

/** `(show details)` or `(hide details)`. */
export function toggleText(open: boolean): string {
  return open ? '(hide details)' : '(show details)';
}

/** The call of an entry, its tool's name marked. */
export function callHtml(entry: ToolEntry): string {
  const { toolName, call } = entry;
  const name = call.startsWith(toolName) ? toolName : '';
  return `<span class="tool-name">${escape(name)}</span><span class="arguments">${escape(call.slice(name.length))}</span>`;
}

/** The text after the call: a short result, otherwise its status. */
export function outcomeHtml(entry: ToolEntry): string {
  const result = entry.inline ? ` <span class="result">${escape(entry.result)}</span>` : '';
  switch (entry.status) {
    case 'pending':
      return '<span class="mark pending" role="img" aria-label="pending">⏳</span>';
    case 'failed':
      return `<span class="mark failed" role="img" aria-label="failed">✗</span>${result}`;
    case 'done':
      return entry.inline && entry.result !== '' ? `<span class="mark">→</span>${result}` : '';
  }
}

/** The changes of an edit and a longer result, drawn below the call; nothing where there is neither. */
export function belowHtml(entry: ToolEntry): string {
  return changesHtml(entry) + resultHtml(entry);
}

function changesHtml({ changes }: ToolEntry): string {
  if (changes === undefined) {
    return '';
  }
  const lines = changes.split('\n').map((line) => `<span class="${lineClass(line)}">${escape(line)}</span>`);
  return `<pre class="below changes">${lines.join('')}</pre>`;
}

function lineClass(line: string): string {
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'kept';
}

function resultHtml(entry: ToolEntry): string {
  if (entry.inline || (entry.result === '' && entry.more === null)) {
    return '';
  }
  const more = entry.more === null ? '' : `<span class="more">${escape(entry.more)}</span>`;
  const gap = entry.result !== '' && more !== '' ? '\n' : '';
  const result = highlighted(entry.result, languageOf(entry)) ?? escape(entry.result);
  return `<pre class="below">${result}${gap}${more}</pre>`;
}

/** The extension of the file that a call reads; empty for other calls. */
function languageOf({ toolName, call, status }: ToolEntry): string {
  const file = /[\w-]\.([a-z]\w{0,9})(?=[,)\s"]|$)/i.exec(call);
  const reads = status === 'done' && /read|view|cat\b/i.test(toolName);
  return reads ? (file?.[1] ?? '') : '';
}

/**
 * The author of a message: the name as written, or else that of the role; nothing before the first
 * message.
 */
export function speaker(message: Pick<Message, 'role' | 'name'>): string {
  return message.name ?? (message.role === null ? '' : roleNames[message.role]);
}

const roleNames = { user: 'User', assistant: 'Assistant', system: 'System', other: 'Other' };
