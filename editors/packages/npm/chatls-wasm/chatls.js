/** chatls in JavaScript: the language server for transcripts of AI conversations, as WebAssembly. */

/** An error that the server answers a request with. */
export class ChatlsError extends Error {
  constructor({ code, message }) {
    super(message);
    this.name = 'ChatlsError';
    this.code = code;
  }
}

/** A running server with its open documents. It is synchronous: long work belongs into a worker. */
export class Chatls {
  #exports;
  #capabilities;
  #nextId = 0;
  #nextDocument = 0;

  constructor(exports) {
    this.#exports = exports;
  }

  /** A server for the messages of a client, the first of which is `initialize`. */
  static async load(wasm) {
    return new Chatls((await instantiate(wasm)).exports);
  }

  /**
   * Starts a server, and initializes it.
   *
   * @param wasm the content of `chatls.wasm`, its `Response`, or the compiled module
   * @param params of LSP's `initialize`
   */
  static async start(wasm, params = {}) {
    const chatls = await Chatls.load(wasm);
    const capabilities = {
      general: { positionEncodings: ['utf-16'] },
      textDocument: {
        codeAction: {
          codeActionLiteralSupport: { codeActionKind: { valueSet: [] } },
          dataSupport: true,
          resolveSupport: { properties: ['edit'] },
        },
        diagnostic: {},
      },
      workspace: { workspaceEdit: { documentChanges: true } },
    };
    chatls.#capabilities = chatls.request('initialize', { capabilities, ...params }).capabilities;
    chatls.notify('initialized', {});
    return chatls;
  }

  /** The result of `initialize`. */
  get capabilities() {
    return this.#capabilities;
  }

  /** Passes a JSON-RPC message, or its text, to the server. Returns the messages that it sends for it. */
  send(message) {
    const { memory, allocate, receive } = this.#exports;
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const bytes = new TextEncoder().encode(text);
    const at = allocate(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    try {
      return JSON.parse(this.#read(receive(at, bytes.length)));
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        error.message += `: ${this.#read(this.#exports.failure())}`;
      }
      throw error;
    }
  }

  /** The result of a request. */
  request(method, params) {
    this.#nextId += 1;
    const id = this.#nextId;
    const answer = this.send({ jsonrpc: '2.0', id, method, params }).find((message) => message.id === id);
    if (answer?.error !== undefined) {
      throw new ChatlsError(answer.error);
    }
    return answer?.result;
  }

  /** Sends a notification. */
  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /**
   * Opens a document. Its name shows its language, as that of a file does; without an extension the
   * text shows it.
   */
  open(text, { name = 'pasted', languageId = 'plaintext' } = {}) {
    this.#nextDocument += 1;
    const uri = `file:///${this.#nextDocument}/${encodeURIComponent(name)}`;
    return new ChatDocument(this, uri, text, languageId);
  }

  #read(pointer) {
    const { buffer } = this.#exports.memory;
    const at = pointer >>> 0;
    const length = new DataView(buffer).getUint32(at, true);
    return new TextDecoder().decode(new Uint8Array(buffer, at + 4, length));
  }
}

/** An open document. Lines, and characters in UTF-16 code units, count from 0. */
export class ChatDocument {
  #chatls;
  #version = 1;

  constructor(chatls, uri, text, languageId) {
    this.#chatls = chatls;
    this.uri = uri;
    chatls.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  /** The result of a request on this document. */
  request(method, params = {}) {
    return this.#chatls.request(method, { textDocument: { uri: this.uri }, ...params });
  }

  /** Changes the text: a list of `{range, text}`, each on the result of the ones before it. */
  edit(changes) {
    this.#version += 1;
    const textDocument = { uri: this.uri, version: this.#version };
    this.#chatls.notify('textDocument/didChange', { textDocument, contentChanges: changes });
  }

  /** Ends the work on the document, and frees its memory. */
  close() {
    this.#chatls.notify('textDocument/didClose', { textDocument: { uri: this.uri } });
  }

  /** LSP's `Diagnostic[]`. */
  diagnostics() {
    return this.request('textDocument/diagnostic').items;
  }

  /** The fixes of a diagnostic: titles, and the edits that make them. */
  fixes(diagnostic) {
    const context = { diagnostics: [diagnostic], only: ['quickfix'] };
    const actions = this.request('textDocument/codeAction', { range: diagnostic.range, context });
    const resolved = actions.map((action) => action.edit === undefined
      ? this.#chatls.request('codeAction/resolve', action)
      : action);
    return resolved.map(({ title, isPreferred = false, edit }) => ({
      title,
      isPreferred,
      edits: (edit?.documentChanges ?? []).flatMap((change) => change.edits ?? []),
    }));
  }

  /** The messages, with the tool calls of each in batches. */
  view() {
    return this.request('chatls/transcript').messages;
  }

  /** The tool calls, with their results. */
  calls() {
    const { lines } = this.request('chatls/calls');
    return lines.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  }

  /** Statistics of the tool calls. */
  statistics() {
    return this.request('chatls/statistics').statistics;
  }

  /** The changes that repair a message log, and their edits; `only` has the titles of those to make. */
  repair(only) {
    const { changes, outcome, edits } = this.request('chatls/repair', { only });
    return { changes, outcome, edits };
  }

  /** The conversation in another form, with what it loses, in words. */
  convert(to) {
    const { languageId, text, losses } = this.request('chatls/conversation', { to });
    return { languageId, text, losses };
  }

  /** A copy without secrets, user names and addresses. */
  redact() {
    const { name, text, counts, left } = this.request('chatls/redacted');
    return { name, text, counts, left };
  }

  /** The document as one HTML page, or as Markdown. */
  export(format, { redact = false } = {}) {
    return this.request('chatls/export', { format, redact }).text;
  }
}

async function instantiate(wasm) {
  if (wasm instanceof WebAssembly.Module) {
    return WebAssembly.instantiate(wasm, {});
  }
  const bytes = typeof Response !== 'undefined' && wasm instanceof Response ? await wasm.arrayBuffer() : wasm;
  return (await WebAssembly.instantiate(bytes, {})).instance;
}
