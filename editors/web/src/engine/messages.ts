/** The messages between the page and the worker. */

/** A document for `textDocument/didOpen`. The worker reads it, so that the page does not wait. */
export interface Opened {
  uri: string;
  languageId: string;
  version: number;
  source: Blob;
}

export type ToWorker =
  /** `module`: WebAssembly, compressed with gzip, in base64. */
  | { type: 'start'; module: string }
  /** A message of JSON-RPC. */
  | { type: 'send'; message: string }
  | { type: 'open'; document: Opened };

export type FromWorker =
  | { type: 'ready' }
  /** A response or a notification of JSON-RPC. */
  | { type: 'message'; message: string }
  /** A request of the server, which waits for `{ type: 'send' }` with its response. */
  | { type: 'request'; id: number | string; method: string; params: unknown }
  /** Nothing more comes. */
  | { type: 'failed'; reason: string };

