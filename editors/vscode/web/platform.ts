/** In a browser: the server is chatls.wasm in a worker, and sees files of all sources as `file:` URIs. */
import * as vscode from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import type { Found } from '../src/lookup';
import type { Lines } from '../src/platform';
import { fromServer, keyOf, toServer } from './uris';

export const SCHEMES = ['file', 'untitled', 'vscode-vfs', 'vscode-remote', 'vscode-test-web', 'memfs'];

export class PlatformClient extends LanguageClient {
  private readonly watchers: vscode.Disposable[] = [];
  /** The files that the server has looked for, by `keyOf`. */
  private readonly wanted = new Set<string>();
  private worker: Worker | undefined;

  constructor(_command: string, _readErrors: (lines: Lines) => void, options: LanguageClientOptions) {
    super('chatls', 'chatls', async () => this.startWorker(() => void options.errorHandler?.closed()), {
      ...options,
      initializationOptions: { ...options.initializationOptions as object, files: true },
      uriConverters: { code2Protocol: (uri) => toServer(uri), protocol2Code: (uri) => vscode.Uri.parse(fromServer(uri)) },
    });
    this.onNotification('chatls/filesWanted', async ({ uris }: { uris: string[] }) => this.sendFiles(uris));
    const changed = async (uri: vscode.Uri): Promise<void> => this.sendFiles([toServer(uri)].filter((file) => this.wanted.has(keyOf(file))));
    // Registries, and configurations that are extended, have any name.
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    this.watchers.push(watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed));
  }

  override async dispose(timeout?: number): Promise<void> {
    this.watchers.forEach((watcher) => { watcher.dispose(); });
    await super.dispose(timeout).finally(() => { this.worker?.terminate(); });
  }

  /** Starts a worker with the server; `ended` is called when it has failed. */
  private async startWorker(ended: () => void): Promise<MessageTransports> {
    const [wasm, script] = await Promise.all([read('chatls.wasm'), read('worker.js')]);
    // VS Code starts none from the address of an extension on a remote machine.
    this.worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
    this.worker.addEventListener('error', ended);
    this.worker.postMessage(wasm);
    const { worker } = this;
    // As text: the editor's own positions would arrive without their lines.
    const asText = {
      postMessage: (message: unknown) => { worker.postMessage(JSON.stringify(message)); },
      addEventListener: worker.addEventListener.bind(worker),
    } as Worker;
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(asText) };
  }

  private async sendFiles(uris: string[]): Promise<void> {
    const textOf = async (uri: string): Promise<string | null> =>
      vscode.workspace.fs.readFile(vscode.Uri.parse(fromServer(uri))).then((bytes) => new TextDecoder().decode(bytes), () => null);
    uris.forEach((uri) => this.wanted.add(keyOf(uri)));
    const files = await Promise.all(uris.map(async (uri) => ({ uri, text: await textOf(uri) })));
    if (files.length > 0) {
      await this.sendNotification('chatls/files', { files });
    }
  }
}

export function find(): Found {
  return { command: 'chatls.wasm', origin: 'bundled' };
}

export async function writeConfig(): Promise<void> {
  return Promise.reject(new Error('it needs VS Code on a machine'));
}

/** A file of the extension. */
async function read(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const extension = vscode.extensions.getExtension('chatls.chatls');
  const file = vscode.Uri.joinPath(extension?.extensionUri ?? vscode.Uri.file('/'), 'dist', 'web', name);
  return new Uint8Array(await vscode.workspace.fs.readFile(file));
}
