/** The server in a worker: messages of LSP in, messages of LSP out. */
import { Chatls } from '../../packages/npm/chatls-wasm/chatls.js';

interface Start { wasm: Uint8Array<ArrayBuffer> }
interface Message { id?: number | string }

let server: Promise<Chatls> | undefined;
const waiting: Message[] = [];

self.addEventListener('message', ({ data }: MessageEvent<Start | Message>) => {
  if ('wasm' in data) {
    server = Chatls.load(data.wasm);
    void server.then((chatls) => { waiting.splice(0).forEach((message) => { pass(chatls, message); }); }, end);
  } else if (server === undefined) {
    waiting.push(data);
  } else {
    void server.then((chatls) => { pass(chatls, data); });
  }
});

function pass(chatls: Chatls, message: Message): void {
  try {
    chatls.send(message).forEach((sent) => { self.postMessage(sent); });
  } catch (error) {
    end(error);
  }
}

/** The client sees an error of the worker, and starts another one. */
function end(error: unknown): void {
  setTimeout(() => { throw error; });
}
