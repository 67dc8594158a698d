/** The filter in the line at the top: which calls are drawn, by tool and by how they stand. */
import { filtered, toolsOf, type Wanted } from '../../src/preview/filtering';
import type { Message } from '../../src/protocol';
import { element } from './dom';

const STATUSES: [Wanted['status'], string][] = [
  ['', 'any result'],
  ['failed', 'failed'],
  ['pending', 'pending'],
  ['done', 'done'],
];

export class Filter {
  readonly element = element('span', 'filter');
  private readonly tool = element('select', 'tool');
  private readonly status = element('select', 'status');
  private tools = '';

  constructor(changed: () => void) {
    this.tool.title = 'Show only calls of this tool';
    this.status.title = 'Show only calls that stand so';
    this.tool.setAttribute('aria-label', this.tool.title);
    this.status.setAttribute('aria-label', this.status.title);
    this.status.append(...STATUSES.map(([value, text]) => new Option(text, value)));
    this.element.append(this.tool, this.status);
    this.element.addEventListener('change', changed);
    this.offer([]);
  }

  get wanted(): Wanted {
    return { tool: this.tool.value, status: this.status.value as Wanted['status'] };
  }

  get isActive(): boolean {
    return this.tool.value !== '' || this.status.value !== '';
  }

  /** The messages as they are drawn; the tools that they call are offered. */
  apply(messages: Message[]): Message[] {
    this.offer(toolsOf(messages));
    return this.isActive ? filtered(messages, this.wanted) : messages;
  }

  private offer(tools: string[]): void {
    // A chosen tool stays also where its last call is just being rewritten.
    const chosen = this.tool.value;
    const all = chosen === '' || tools.includes(chosen) ? tools : [...tools, chosen].sort();
    this.element.hidden = all.length === 0;
    const key = JSON.stringify(all);
    if (key !== this.tools) {
      this.tools = key;
      this.tool.replaceChildren(new Option('all tools', ''), ...all.map((tool) => new Option(tool, tool)));
      this.tool.value = chosen;
    }
  }
}
