/** The server in a worker: first chatls.wasm, then messages of LSP as text; messages of LSP come back. */
import { Chatls } from '../../packages/npm/chatls-wasm/chatls.js';

let server: Promise<Chatls> | undefined;

self.addEventListener('message', ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | string>) => {
  if (typeof data !== 'string') {
    server = Chatls.load(data);
    return;
  }
  server?.then((chatls) => { chatls.send(data).forEach((sent) => { self.postMessage(sent); }); }).catch((error: unknown) => {
    // The client sees an error of the worker, and starts another one.
    setTimeout(() => { throw error; });
  });
});
