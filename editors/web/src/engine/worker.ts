/** The worker: the language server in WebAssembly. It handles one message after the other. */
import type { FromWorker, Opened, ToWorker } from './messages';

interface Exports {
  memory: WebAssembly.Memory;
  /** A buffer for `length` bytes, which `receive` takes over. */
  allocate(length: number): number;
  /**
   * Handles the message in the buffer. Returns the address of a length and as many bytes: an array
   * of messages.
   */
  receive(pointer: number, length: number): number;
  /** The same for the reason of a failure. */
  failure?(): number;
}

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
}

let engine: Exports | undefined;
let last = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
  last = last.then(async () => handle(data)).catch(fail);
};

async function handle(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'start':
      engine = await instantiate(message.module);
      post({ type: 'ready' });
      break;
    case 'send':
      receive(message.message);
      break;
    case 'open':
      receive(await opening(message.document));
      break;
  }
}

async function instantiate(module: string): Promise<Exports> {
  const written = atob(module);
  const compressed = new Uint8Array(written.length);
  for (let at = 0; at < written.length; at++) {
    compressed[at] = written.charCodeAt(at);
  }
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const bytes = await new Response(stream).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return instance.exports as unknown as Exports;
}

async function opening({ source, ...document }: Opened): Promise<string> {
  const textDocument = { ...document, text: await source.text() };
  return JSON.stringify({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument } });
}

function receive(message: string): void {
  if (engine === undefined) {
    throw new Error('the engine has not started');
  }
  const bytes = new TextEncoder().encode(message);
  const pointer = engine.allocate(bytes.length);
  new Uint8Array(engine.memory.buffer, pointer, bytes.length).set(bytes);
  const answers = JSON.parse(read(engine, engine.receive(pointer, bytes.length))) as Message[];
  for (const answer of answers) {
    const { id, method, params } = answer;
    if (id !== undefined && method !== undefined) {
      post({ type: 'request', id, method, params });
    } else {
      post({ type: 'message', message: JSON.stringify(answer) });
    }
  }
}

/** The text at an address: its length in bytes, as a number of 32 bits, stands before it. */
function read({ memory }: Exports, address: number): string {
  const length = new DataView(memory.buffer).getUint32(address, true);
  return new TextDecoder().decode(new Uint8Array(memory.buffer, address + 4, length));
}

/** After a trap the memory of the engine may be in any state: it is not used again. */
function fail(error: unknown): void {
  const reason = reasonOf(error);
  engine = undefined;
  post({ type: 'failed', reason });
}

function reasonOf(error: unknown): string {
  try {
    const written = engine?.failure === undefined ? '' : read(engine, engine.failure());
    if (written !== '') {
      return written;
    }
  } catch {
    // The error itself is left.
  }
  return error instanceof Error ? error.message : String(error);
}

function post(message: FromWorker): void {
  self.postMessage(message);
}
