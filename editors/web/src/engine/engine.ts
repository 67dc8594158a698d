/** The engine of the page: a worker with the language server, as a transport of messages. */
import type { Transport } from '@codemirror/lsp-client';
import type { FromWorker, Opened, ToWorker } from './messages';

/** The script of the worker, put in by the build. */
declare const WORKER: string;

export interface EngineEvents {
  /** Handles a request of the server, and returns its result. */
  request(method: string, params: unknown): unknown;
  /** The engine has ended by itself. */
  failed(reason: string): void;
}

export class Engine implements Transport {
  private readonly worker: Worker;
  private readonly handlers = new Set<(message: string) => void>();

  constructor(private readonly events: EngineEvents) {
    // A page from a file may start only workers that it contains.
    this.worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' })));
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => { this.receive(data); };
    this.worker.onerror = (event) => { events.failed(event.message); };
    this.post({ type: 'start', module: document.getElementById('engine')?.textContent ?? '' });
  }

  send(message: string): void {
    this.post({ type: 'send', message });
  }

  /** Opens a document, which the worker reads by itself. */
  open(document: Opened): void {
    this.post({ type: 'open', document });
  }

  subscribe(handler: (message: string) => void): void {
    this.handlers.add(handler);
  }

  unsubscribe(handler: (message: string) => void): void {
    this.handlers.delete(handler);
  }

  /** Ends the worker, whatever it is doing. */
  end(): void {
    this.handlers.clear();
    this.worker.terminate();
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case 'message':
        this.handlers.forEach((handler) => { handler(message.message); });
        break;
      case 'request': {
        const result = this.events.request(message.method, message.params) ?? null;
        this.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
        break;
      }
      case 'failed':
        this.events.failed(message.reason);
        break;
      case 'ready':
        break;
    }
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}
