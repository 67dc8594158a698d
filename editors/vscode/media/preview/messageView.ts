/** One message: its author, texts and batches. */
import { looksSame } from '../../src/preview/changes';
import type { Message } from '../../src/protocol';
import { button, element } from './dom';
import { speaker } from './html';
import { patchList, type View } from './list';
import type { Page } from './page';
import { TextView } from './textView';
import { ToolsView } from './toolsView';

type Item = Message['items'][number];
type ItemView = TextView | ToolsView;

/** The places of open blocks among those of the message. */
type Places = ReadonlySet<number>;

export class MessageView implements View<Message, HTMLElement> {
  readonly element = element('article', 'message');
  private readonly header = element('h2', 'speaker');
  private readonly name = button('name', () => { this.page.reveal(this.message.range); });
  private readonly body = element('div', 'body');
  private views: ItemView[] = [];
  private drawn = false;

  /** `opened`: the blocks that are open once the message is drawn. */
  constructor(private message: Message, private readonly page: Page, private opened: Places = new Set()) {
    this.name.dir = 'auto';
    this.name.title = 'Show in the editor';
    this.name.dataset.stop = 'message';
    this.header.append(this.name);
    this.element.append(this.header, this.body);
    this.drawSpeaker();
    this.reserve();
  }

  get range(): Message['range'] {
    return this.message.range;
  }

  get data(): Message {
    return this.message;
  }

  shows(message: Message): boolean {
    return looksSame(this.message, message);
  }

  fits(message: Message): boolean {
    return message.role === this.message.role;
  }

  update(message: Message): void {
    const { name, role } = this.message;
    this.message = message;
    if (message.name !== name || message.role !== role) {
      this.drawSpeaker();
    }
    if (this.drawn) {
      this.drawItems();
    } else {
      this.reserve();
    }
  }

  /** Renders the contents. Until then the message only takes about the space that it will need. */
  draw(): void {
    if (!this.drawn) {
      this.drawn = true;
      this.body.style.minHeight = '';
      this.drawItems();
      this.tools().forEach((view, index) => {
        view.setOpen(this.opened.has(index));
      });
    }
  }

  /** The batches of the message, once it is drawn. */
  tools(): ToolsView[] {
    return this.views.filter((view) => view instanceof ToolsView);
  }

  /** The blocks that are open, or will be. */
  open(): Places {
    if (!this.drawn) {
      return this.opened;
    }
    const open = new Set<number>();
    this.tools().forEach((view, index) => {
      if (view.open) {
        open.add(index);
      }
    });
    return open;
  }

  setAllOpen(open: boolean): void {
    if (this.drawn) {
      for (const view of this.tools()) {
        view.setOpen(open);
      }
    } else {
      this.opened = new Set(open ? Array(countTools(this.message)).keys() : []);
    }
  }

  parts(): ItemView[] {
    this.draw();
    return this.views;
  }

  private drawItems(): void {
    this.views = patchList<Item, HTMLElement, ItemView>(this.body, this.views, this.message.items, (item) =>
      item.kind === 'text' ? new TextView(item, this.page) : new ToolsView(item, this.page),
    );
  }

  private drawSpeaker(): void {
    const name = speaker(this.message);
    this.element.className = `message ${this.message.role ?? 'nobody'}`;
    this.element.setAttribute('aria-label', name === '' ? 'Before the first message' : name);
    this.header.hidden = name === '';
    this.name.textContent = name;
  }

  /** A guess is enough: the scroll bar moves a little when the message comes into view. */
  private reserve(): void {
    const { start, end } = this.message.range;
    const height = `${Math.min(end.line - start.line, 200) * 1.2}em`;
    if (height !== this.body.style.minHeight) {
      this.body.style.minHeight = height;
    }
  }
}

export function countTools(message: Message): number {
  return message.items.filter((item) => item.kind === 'tools').length;
}
