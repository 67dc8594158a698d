/** The parts of the page, in their order. */
import { element } from '../../../vscode/media/preview/dom';
import type { OpenDocument } from '../lsp/documents';
import { textButton, textElement } from './parts';
import { Tabs } from './tabs';

export type PaneName = 'text' | 'problems' | 'chat' | 'statistics';

export interface PageEvents {
  choose(): void;
  fold(): void;
  repair(): void;
  redact(): void;
  convert(): void;
  share(): void;
  save(): void;
  pane(name: PaneName): void;
  selectDocument(uri: string): void;
  closeDocument(uri: string): void;
}

export class Page {
  readonly start = element('div');
  readonly work = element('div', 'work');
  private readonly title = element('h1', 'hidden-words');
  readonly documents: Tabs;
  readonly summary = textElement('p', '', 'summary');
  readonly repair: HTMLButtonElement;
  readonly fold: HTMLButtonElement;
  readonly panes: Tabs;
  readonly editor = element('div', 'editor');
  readonly textPane = element('section', 'pane text-pane');
  readonly chatPane = element('section', 'pane chat-pane');
  readonly statistics = element('section', 'pane statistics');
  private readonly panesBox = element('div', 'panes');
  private readonly toast = element('p', 'toast');
  private toastEnd = 0;

  constructor(private readonly events: PageEvents) {
    this.documents = new Tabs('Documents', (uri) => { events.selectDocument(uri); }, (uri) => { events.closeDocument(uri); });
    this.fold = textButton('', () => { events.fold(); }, 'button small');
    this.panes = new Tabs('Views', (name) => { events.pane(name as PaneName); });
    this.repair = textButton('Repair', () => { events.repair(); });
    this.toast.setAttribute('role', 'status');
    this.summary.setAttribute('role', 'status');
    this.textPane.setAttribute('aria-label', 'Text');
    this.chatPane.setAttribute('aria-label', 'Chat');
    this.statistics.setAttribute('aria-label', 'Statistics');
    const main = element('main');
    const heading = element('header', 'heading');
    heading.append(textElement('h2', 'Text'), this.fold);
    this.textPane.append(heading, this.editor);
    this.panesBox.append(this.textPane, this.panes.element, this.chatPane, this.statistics);
    this.work.append(this.title, this.documents.element, this.bar(), this.panesBox);
    this.work.hidden = true;
    main.append(this.start, this.work);
    document.body.append(this.header(), main, this.toast);
  }

  /** Shows a message for some time; none ends that. */
  say(message: string): void {
    this.toast.textContent = message;
    clearTimeout(this.toastEnd);
    this.toastEnd = window.setTimeout(() => { this.toast.textContent = ''; }, 3000 + 60 * message.length);
  }

  /** The names of the documents; a dot marks one that is not saved. */
  showDocuments(files: readonly OpenDocument[], active: OpenDocument | undefined): void {
    this.documents.update(files.map(({ uri, name, isSaved }) => ({ id: uri, name: isSaved ? name : `● ${name}` })));
    this.documents.select(active?.uri ?? '');
    this.title.textContent = active?.name ?? '';
    document.title = active === undefined ? 'chatls' : `${active.name} – chatls`;
  }

  /** Shows the documents, or the start. */
  showWork(isOpen: boolean): void {
    this.start.hidden = isOpen;
    this.work.hidden = !isOpen;
    if (!isOpen) {
      this.start.querySelector('textarea')?.focus();
    }
  }

  /** Shows a message that stays. */
  alarm(message: string): void {
    this.say(message);
    clearTimeout(this.toastEnd);
  }

  /** On a narrow window one pane is shown, on a wide one the text and another. */
  showPane(name: PaneName): void {
    this.panesBox.dataset.pane = name;
    this.panes.select(name);
  }

  private header(): HTMLElement {
    const header = element('header', 'top');
    const icon = document.getElementById('icon');
    const brand = element('span', 'brand');
    if (icon instanceof HTMLTemplateElement) {
      brand.append(icon.content.cloneNode(true));
    }
    brand.querySelector('svg')?.setAttribute('aria-hidden', 'true');
    brand.append('chatls');
    const promise = textElement('p', 'Nothing leaves this page.', 'promise');
    promise.title = 'All work is done in your browser. The security policy of the page refuses every request.';
    header.append(brand, promise, element('span', 'gap'), textButton('Open…', () => { this.events.choose(); }));
    return header;
  }

  private bar(): HTMLElement {
    const bar = element('div', 'bar');
    const { events } = this;
    const row = element('div', 'row');
    row.setAttribute('role', 'toolbar');
    row.setAttribute('aria-label', 'Document');
    row.append(
      this.repair,
      textButton('Redact', () => { events.redact(); }),
      textButton('Convert', () => { events.convert(); }),
      textButton('Share', () => { events.share(); }),
      textButton('Save', () => { events.save(); }),
    );
    bar.append(this.summary, row);
    this.panes.update([
      { id: 'text', name: 'Text' },
      { id: 'problems', name: 'Problems' },
      { id: 'chat', name: 'Chat' },
      { id: 'statistics', name: 'Statistics' },
    ]);
    return bar;
  }
}
