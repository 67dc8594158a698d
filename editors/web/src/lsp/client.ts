/** The client of the language server in the worker. Ending it ends the worker, whatever it is doing. */
import { hoverTooltips, LSPClient, serverCompletion, signatureHelp } from '@codemirror/lsp-client';
import DOMPurify from 'dompurify';
import type { ApplyWorkspaceEditParams, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { Extension } from '../../../vscode/src/protocol';
import { Engine } from '../engine/engine';
import { Documents, type OpenDocument } from './documents';

/** Milliseconds for a response: there is no need for a limit, because the user can end it. */
const NEVER = 2 ** 31 - 1;

/** The requests for one document, of chatls and of LSP. */
type Method = `chatls/${Extension | 'foldingRanges' | 'redacted' | 'statistics' | 'calls'}` | `textDocument/${'diagnostic' | 'codeAction'}`;

export interface ClientEvents {
  applyEdit(edit: WorkspaceEdit): void;
  showMessage(message: string): void;
  /** The server has ended by itself. */
  failed(reason: string): void;
}

export class Client {
  readonly documents: Documents;
  readonly lsp: LSPClient;
  private readonly engine: Engine;
  private readonly ended = Promise.withResolvers<never>();

  constructor(events: ClientEvents) {
    this.ended.promise.catch(() => undefined);
    const request = (method: string, params: unknown): unknown => {
      if (method === 'workspace/applyEdit') {
        events.applyEdit((params as ApplyWorkspaceEditParams).edit);
        return { applied: true };
      }
      return null;
    };
    this.engine = new Engine({ request, failed: (reason) => { events.failed(reason); } });
    let documents: Documents | undefined;
    this.lsp = new LSPClient({
      timeout: NEVER,
      sanitizeHTML: (html) => DOMPurify.sanitize(html),
      workspace: (client) => (documents = new Documents(client, this.engine)),
      notificationHandlers: {
        'window/showMessage': (_client, { message }: { message: string }) => {
          events.showMessage(message);
          return true;
        },
      },
      extensions: [serverCompletion(), hoverTooltips(), signatureHelp(), { clientCapabilities: CAPABILITIES }],
    });
    this.documents = documents ?? new Documents(this.lsp, this.engine);
    this.lsp.connect(this.engine);
  }

  /** Sends what was typed, then a request for a document. */
  async request<T>(method: Method, { uri }: OpenDocument, more: object = {}): Promise<T> {
    this.lsp.sync();
    return this.race(this.lsp.request<object, T>(method, { textDocument: { uri }, ...more }));
  }

  async ask<T>(method: 'codeAction/resolve' | 'workspace/executeCommand', params: object): Promise<T> {
    this.lsp.sync();
    return this.race(this.lsp.request<object, T>(method, params));
  }

  /** Ends the worker. What was asked is answered with an error. */
  end(reason: string): void {
    this.engine.end();
    this.ended.reject(new Error(reason));
  }

  private async race<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.ended.promise]);
  }
}

const CAPABILITIES = {
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
  textDocument: {
    foldingRange: { lineFoldingOnly: true, foldingRange: { collapsedText: true } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source'] } },
      resolveSupport: { properties: ['edit'] },
      dataSupport: true,
      isPreferredSupport: true,
    },
    diagnostic: { relatedInformation: false, tagSupport: { valueSet: [1] }, codeDescriptionSupport: true },
  },
};
