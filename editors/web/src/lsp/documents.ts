/**
 * The open documents, as the workspace of the LSP client. A document without an editor stays open on
 * the server.
 */
import { LSPPlugin, Workspace, type LSPClient, type WorkspaceFile } from '@codemirror/lsp-client';
import type { EditorState, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Engine } from '../engine/engine';
import type { Loaded } from '../text/load';

export class OpenDocument implements WorkspaceFile {
  version = 0;
  view: EditorView | null = null;
  /** Of the editor, while another document is in it. */
  state: EditorState | undefined;
  /** True once the server has it. */
  isOpen = false;
  /** The text that was last saved or opened. */
  saved: Text;
  doc: Text;
  /** The text of `source`. */
  private readonly original: Text;
  /** Its bytes when it was opened. */
  readonly source: Blob;
  readonly lineBreak: Loaded['lineBreak'];
  /** The server detects the language by the name, or else by the text. */
  readonly languageId = 'plaintext';

  constructor(readonly uri: string, readonly name: string, { text, source, lineBreak }: Loaded) {
    this.doc = text;
    this.saved = text;
    this.original = text;
    this.source = source;
    this.lineBreak = lineBreak;
  }

  getView(): EditorView | null {
    return this.view;
  }

  /** The text in the editor. */
  get current(): Text {
    return this.view?.state.doc ?? this.state?.doc ?? this.doc;
  }

  /** The same document for another server. */
  again(): OpenDocument {
    const { current, lineBreak } = this;
    const document = new OpenDocument(this.uri, this.name, { text: current, source: this.bytes(), lineBreak });
    document.saved = this.saved;
    return document;
  }

  get isSaved(): boolean {
    return this.current.eq(this.saved);
  }

  /** The content for the server. */
  bytes(): Blob {
    return this.current === this.original ? this.source : new Blob([this.current.toString()]);
  }

  /** The text as it is written to a file. */
  content(): string {
    return this.current.sliceString(0, this.current.length, this.lineBreak);
  }
}

export class Documents extends Workspace {
  files: OpenDocument[] = [];

  constructor(client: LSPClient, private readonly engine: Engine) {
    super(client);
  }

  override getFile(uri: string): OpenDocument | null {
    return this.files.find((file) => file.uri === uri) ?? null;
  }

  syncFiles(): { file: OpenDocument; prevDoc: Text; changes: LSPPlugin['unsyncedChanges'] }[] {
    return this.files.flatMap((file) => {
      const plugin = file.view && LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) {
        return [];
      }
      const update = { file, prevDoc: file.doc, changes: plugin.unsyncedChanges };
      file.doc = plugin.view.state.doc;
      file.version++;
      plugin.clear();
      return [update];
    });
  }

  openFile(uri: string, _languageId: string, view: EditorView): void {
    const file = this.getFile(uri);
    if (file !== null) {
      file.view = view;
      void this.client.initializing.then(() => { this.send(file); });
    }
  }

  /** The editor shows another document. */
  closeFile(uri: string): void {
    const file = this.getFile(uri);
    if (file !== null) {
      file.view = null;
    }
  }

  /** Documents are opened when the server has answered. */
  override connected(): void {
    void this.client.initializing.then(() => { this.files.forEach((file) => { this.send(file); }); });
  }

  /** Closes a document for good. */
  remove(file: OpenDocument): void {
    this.files = this.files.filter((other) => other !== file);
    if (file.isOpen) {
      this.client.didClose(file.uri);
    }
  }

  private send(file: OpenDocument): void {
    if (!file.isOpen) {
      file.isOpen = true;
      const { uri, languageId, version } = file;
      this.engine.open({ uri, languageId, version, source: file.bytes() });
    }
  }
}
