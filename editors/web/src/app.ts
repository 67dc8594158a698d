/** The interface of the page for its views and dialogs. */
import type { TextEdit } from 'vscode-languageserver-protocol';
import type { Client } from './lsp/client';
import type { OpenDocument } from './lsp/documents';

export interface App {
  readonly client: Client;
  /** The document in front. */
  readonly document: OpenDocument;
  /** Opens a new text. */
  openText(name: string, text: string): Promise<void>;
  /** Makes edits of the text that the server has. */
  edit(edits: readonly TextEdit[]): void;
  /** Ends what the engine does. */
  cancel(): void;
  /** Tells the user something. */
  say(message: string): void;
}
