/** One collapsible block for a batch of tool calls, with an entry for each of them. */
import { looksSame } from '../../src/preview/changes';
import type { Message, ToolEntry, ToolsItem } from '../../src/protocol';
import type { Page } from './page';
import { belowHtml, callHtml, labelHtml, outcomeHtml, toggleText } from './html';
import { patchList, type View } from './list';
import { button, element } from './dom';

type Item = Message['items'][number];

let blocks = 0;

export class ToolsView implements View<Item, HTMLElement> {
  readonly element = element('section', 'tools');
  private readonly button = button('label', () => { this.setOpen(!this.open); });
  private readonly label = element('span', 'title');
  private readonly toggle = element('span', 'toggle');
  private readonly list = element('ul', 'entries');
  private entries: EntryView[] = [];

  constructor(private item: ToolsItem, private readonly page: Page) {
    // Calls and results are code: left to right, whatever the message around them is written in.
    this.element.dir = 'ltr';
    this.list.id = `tools-${blocks++}`;
    this.list.hidden = true;
    this.button.dataset.stop = 'block';
    this.button.setAttribute('aria-controls', this.list.id);
    this.button.append(this.label, ' ', this.toggle);
    this.element.append(this.button, this.list);
    this.draw();
    this.drawToggle();
  }

  get range(): ToolsItem['range'] {
    return this.item.range;
  }

  get open(): boolean {
    return !this.list.hidden;
  }

  setOpen(open: boolean): void {
    if (open !== this.open) {
      this.list.hidden = !open;
      this.drawToggle();
      this.drawEntries();
      this.page.toggled();
    }
  }

  shows(item: Item): boolean {
    return looksSame(this.item, item);
  }

  fits(item: Item): boolean {
    return item.kind === 'tools';
  }

  update(item: Item): void {
    if (item.kind === 'tools') {
      const same = this.shows(item);
      this.item = item;
      if (!same) {
        this.draw();
      }
      this.drawEntries();
    }
  }

  /** The views of the open entries, to find lines in them. */
  parts(): { element: HTMLElement; range: ToolsItem['range'] }[] {
    return this.open ? this.entries : [];
  }

  private draw(): void {
    this.label.innerHTML = labelHtml(this.item);
    this.element.classList.toggle('has-failed', this.item.failed > 0);
    this.element.classList.toggle('has-pending', this.item.pending > 0);
  }

  private drawToggle(): void {
    this.toggle.textContent = toggleText(this.open);
    this.button.setAttribute('aria-expanded', String(this.open));
  }

  /** A closed block has no entries to draw: most are never opened. */
  private drawEntries(): void {
    const items = this.open ? this.item.entries : [];
    this.entries = patchList<ToolEntry, HTMLElement, EntryView>(this.list, this.entries, items, (entry) => new EntryView(entry, this.page));
  }
}

class EntryView implements View<ToolEntry, HTMLElement> {
  readonly element = element('li', 'entry');
  private readonly call = button('call', () => { this.page.reveal(this.entry.range); });
  private readonly outcome = element('span', 'outcome');
  private readonly below = element('div', 'rest');

  constructor(private entry: ToolEntry, private readonly page: Page) {
    this.call.dataset.stop = 'entry';
    this.call.title = 'Show in the editor';
    this.element.append(this.call, ' ', this.outcome, this.below);
    this.draw();
  }

  get range(): ToolEntry['range'] {
    return this.entry.range;
  }

  shows(entry: ToolEntry): boolean {
    return looksSame(this.entry, entry);
  }

  fits(): boolean {
    return true;
  }

  update(entry: ToolEntry): void {
    const same = this.shows(entry);
    this.entry = entry;
    if (!same) {
      this.draw();
    }
  }

  private draw(): void {
    this.element.className = `entry ${this.entry.status}`;
    this.call.innerHTML = callHtml(this.entry);
    this.outcome.innerHTML = outcomeHtml(this.entry);
    this.below.innerHTML = belowHtml(this.entry);
  }
}
