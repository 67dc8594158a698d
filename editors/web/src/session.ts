/** The documents that are open in the page, and the one in front of the others. */
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { App } from './app';
import { apply, editsOf } from './editor/edits';
import { Live } from './live';
import { Client } from './lsp/client';
import { OpenDocument } from './lsp/documents';
import { load } from './text/load';
import { distinct, nameOf } from './text/name';
import { save, sizeOf } from './text/save';
import { Progress } from './views/progress';
import { fileChooser, startElement } from './views/start';
import { Views } from './views/views';

export class Session implements App {
  client: Client;
  private readonly progress = new Progress(() => { this.cancel(); });
  private readonly views: Views;
  private readonly live: Live;
  private active: OpenDocument | undefined;
  private opened = 0;
  private failures = 0;
  /** The number of the opening that is going on; 0 if there is none. */
  private opening = 0;

  /** `sample`: opens a broken session to try. */
  constructor(sample: () => void) {
    const choose = fileChooser((files) => void this.openFiles(files));
    this.views = new Views(this, {
      choose,
      save: () => { this.save(); },
      selectDocument: (uri) => void this.select(uri),
      closeDocument: (uri) => void this.close(uri),
      changed: () => { this.drawDocuments(); },
      stage: (words) => { this.stage(words); },
    }, (views) => new Live(this, views));
    this.live = this.views.live;
    this.views.page.start.append(startElement({ choose, pasted: (text) => void this.openText('', text), sample }));
    document.body.append(this.progress.element);
    this.client = this.start();
  }

  get document(): OpenDocument {
    if (this.active === undefined) {
      throw new Error('no document is open');
    }
    return this.active;
  }

  hasUnsaved(): boolean {
    return this.client.documents.files.some((file) => !file.isSaved);
  }

  async openFiles(files: readonly File[]): Promise<void> {
    for (const file of files) {
      await this.open(file.name, file);
    }
  }

  async openText(name: string, text: string): Promise<void> {
    await this.open(name === '' ? nameOf(text) : name, new Blob([text]));
  }

  edit(edits: readonly TextEdit[]): void {
    apply(this.views.editor.view, edits);
  }

  say(message: string): void {
    this.views.page.say(message);
  }

  /** Ends what the engine does. A document that is being opened is not opened. */
  cancel(): void {
    const isOpening = this.opening !== 0;
    this.opening = 0;
    if (isOpening && this.active !== undefined) {
      this.client.documents.files = this.client.documents.files.filter((file) => file !== this.active);
    }
    this.restart('Cancelled.');
  }

  private start(): Client {
    return new Client({
      applyEdit: (edit: WorkspaceEdit) => { this.edit(editsOf(edit, this.document.uri)); },
      showMessage: (message) => { this.say(message); },
      failed: (reason) => { this.failed(reason); },
    });
  }

  /** Reads a document, shows its text, and then what the server finds in it. */
  private async open(wanted: string, source: Blob): Promise<void> {
    const name = distinct(wanted, this.client.documents.files.map((file) => file.name));
    const number = ++this.opened;
    this.opening = number;
    const words = `Reading ${name}, ${sizeOf(source.size)}`;
    this.progress.show(words, 0);
    const isWanted = (): boolean => this.opening === number;
    const loaded = await load(source, (bytes) => { this.progress.show(words, bytes / source.size); }, isWanted);
    if (!isWanted()) {
      return;
    }
    const document = new OpenDocument(`file:///${number}/${encodeURIComponent(name)}`, name, loaded);
    this.client.documents.files.push(document);
    this.views.page.showWork(true);
    await this.show(document);
    if (isWanted()) {
      this.opening = 0;
    }
  }

  private async show(document: OpenDocument): Promise<void> {
    this.live.stop();
    this.active = document;
    this.views.editor.show(document, this.client);
    this.views.clear();
    this.drawDocuments();
    if (await this.live.now()) {
      this.failures = 0;
    }
  }

  private async select(uri: string): Promise<void> {
    const document = this.client.documents.getFile(uri);
    if (document !== null && document !== this.active) {
      await this.show(document);
    }
  }

  private async close(uri: string): Promise<void> {
    const { documents } = this.client;
    const document = documents.getFile(uri);
    if (document === null || (!document.isSaved && !confirm(`Close ${document.name} without saving it?`))) {
      return;
    }
    documents.remove(document);
    await this.showLast();
  }

  /** The last document, or the start if there is none. */
  private async showLast(preferred?: OpenDocument): Promise<void> {
    const next = preferred ?? this.client.documents.files.at(-1);
    if (next !== undefined) {
      return this.show(next);
    }
    this.live.stop();
    this.active = undefined;
    this.views.editor.clear();
    this.views.page.showWork(false);
    this.drawDocuments();
  }

  private save(): void {
    const { document } = this;
    save(document.name, document.content());
    document.saved = document.current;
    this.drawDocuments();
    this.say(`Saved as ${document.name}.`);
  }

  /** The engine ended by itself. A second time in a row, it would do so again. */
  private failed(reason: string): void {
    this.progress.hide();
    this.live.stop();
    if (++this.failures > 1) {
      this.views.page.alarm(`The engine does not work in this browser, or with this document: ${reason}. The text can still be saved.`);
    } else {
      this.restart(`The engine stopped, and was started again: ${reason}`);
    }
  }

  /** Begins with a new engine, and gives it the documents. */
  private restart(reason: string): void {
    this.live.stop();
    this.progress.hide();
    const { files } = this.client.documents;
    const fresh = files.map((file) => file.again());
    const current = fresh.find(({ uri }) => uri === this.active?.uri);
    this.client.end(reason);
    this.views.editor.clear();
    this.client = this.start();
    this.client.documents.files = fresh;
    this.say(reason);
    void this.showLast(current);
  }

  private drawDocuments(): void {
    this.views.page.showDocuments(this.client.documents.files, this.active);
  }

  private stage(words: string): void {
    if (words === '') {
      this.progress.hide();
    } else if (this.opening !== 0 || this.document.current.length > 2_000_000) {
      this.progress.show(`${words}: ${this.document.name}, ${sizeOf(this.document.current.length)}`);
    }
  }
}
