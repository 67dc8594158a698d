/** The text of a message between its batches. */
import { looksSame } from '../../src/preview/changes';
import type { Message, TextItem } from '../../src/protocol';
import { element } from './dom';
import type { View } from './list';
import { renderMarkdown } from './markdown';
import type { Page } from './page';

type Item = Message['items'][number];

export class TextView implements View<Item, HTMLElement> {
  readonly element = element('div', 'text');

  constructor(private item: TextItem, private readonly page: Page) {
    this.element.addEventListener('dblclick', (event) => {
      this.revealLine(event);
    });
    this.draw();
  }

  get range(): TextItem['range'] {
    return this.item.range;
  }

  shows(item: Item): boolean {
    return looksSame(this.item, item);
  }

  fits(item: Item): boolean {
    return item.kind === 'text';
  }

  update(item: Item): void {
    if (item.kind === 'text') {
      const same = this.shows(item);
      this.item = item;
      if (!same) {
        this.draw();
      }
    }
  }

  /** The blocks of the text that know their lines. */
  parts(): { element: HTMLElement; range: TextItem['range'] }[] {
    const first = this.item.range.start.line;
    const last = this.item.range.end;
    const blocks = [...this.element.querySelectorAll<HTMLElement>('[data-line]')];
    return blocks.map((block, index) => {
      const next = blocks[index + 1];
      const line = first + Number(block.dataset.line);
      const end = next === undefined ? last : { line: first + Number(next.dataset.line), character: 0 };
      // Of a code block, markdown-it marks the inner element.
      return { element: block.closest('pre') ?? block, range: { start: { line, character: 0 }, end } };
    });
  }

  private draw(): void {
    this.element.innerHTML = renderMarkdown(this.item.text, this.page.surroundings);
  }

  private revealLine(event: MouseEvent): void {
    const block = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null;
    if (block !== null) {
      const line = this.item.range.start.line + Number(block.dataset.line);
      this.page.reveal({ start: { line, character: 0 }, end: { line, character: 0 } });
    }
  }
}
