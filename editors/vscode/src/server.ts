/** The language server's process: starts it, restarts it after crashes, and reports its state. */
import * as vscode from 'vscode';
import { CancellationToken, type Middleware } from 'vscode-languageclient/node';
import { Backoff } from './backoff';
import { Client } from './client';
import { ServerLog, traceChannel } from './logs';
import { find } from './platform';
import type { Extension } from './protocol';

export type ServerState = 'stopped' | 'starting' | 'running' | 'waiting' | 'failed';

export class Server {
  /** The features' own; taken when the server starts. */
  readonly middleware: Middleware = {};
  /** The features' own handlers of notifications, by method; taken when the server starts. */
  readonly notifications: Record<string, (params: unknown) => void> = {};
  private readonly states = new vscode.EventEmitter<ServerState>();
  private readonly log = new ServerLog();
  private readonly trace: vscode.LogOutputChannel;
  private backoff = new Backoff();
  private current: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The queue of starts and stops. */
  private queue: Promise<void> = Promise.resolve();

  state: ServerState = 'stopped';
  /** The reason for its state, for users; may be empty. */
  reason = '';
  /** The program, if it was found. */
  command: string | undefined;
  /** Fires with the new state. */
  readonly onDidChangeState = this.states.event;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.trace = traceChannel(context);
    context.subscriptions.push(this.states, this.log.channel, { dispose: () => { clearTimeout(this.timer); } });
  }

  /** Its version, while it runs. */
  get version(): string {
    return this.client()?.initializeResult?.serverInfo?.version ?? '';
  }

  /** The client, while the server runs. */
  client(): Client | undefined {
    return this.state === 'running' ? this.current : undefined;
  }

  /** The client after a start in progress; nothing if the server does not run. */
  async whenStarted(): Promise<Client | undefined> {
    await this.queue;
    return this.client();
  }

  /** True if it supports one of the requests beyond LSP. */
  offers(name: Extension): boolean {
    return this.client()?.offers(name) === true;
  }

  /** True if calls may be run, and it has the command for it. */
  runs(command: string): boolean {
    return this.offers('run') && this.client()?.hasCommand(command) === true;
  }

  /** A document that the server names. */
  uriOf(uri: string): vscode.Uri {
    return this.client()?.protocol2CodeConverter.asUri(uri) ?? vscode.Uri.parse(uri);
  }

  /** Sends such a request about a document, after a start in progress. */
  async request<R>(name: Extension, uri: vscode.Uri, more: object = {}, token = CancellationToken.None): Promise<R> {
    const client = await this.offering(name);
    // The server only knows open documents; this one's editor may be closed.
    await vscode.workspace.openTextDocument(uri);
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    return client.sendRequest<R>(`chatls/${name}`, { textDocument, ...more }, token);
  }

  /** Sends such a request that is about no document. */
  async ask<R>(name: Extension, params: object): Promise<R> {
    return (await this.offering(name)).sendRequest<R>(`chatls/${name}`, params);
  }

  /** Starts it, or starts it again. Earlier crashes do not count. */
  async start(): Promise<void> {
    this.backoff = new Backoff();
    return this.enqueue(async () => this.launch());
  }

  async stop(): Promise<void> {
    return this.enqueue(async () => {
      await this.end();
      this.become('stopped');
    });
  }

  showLog(): void {
    this.log.channel.show(true);
  }

  private async offering(name: Extension): Promise<Client> {
    const client = await this.whenStarted();
    if (!client || !this.offers(name)) {
      throw new Error(client ? 'this chatls server is too old; update it.' : 'the chatls server does not run.');
    }
    return client;
  }

  private async enqueue(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(task, task);
    return this.queue;
  }

  private async launch(): Promise<void> {
    await this.end();
    const found = find(this.context);
    this.command = 'command' in found ? found.command : undefined;
    if ('problem' in found) {
      this.become('failed', found.problem);
      return;
    }
    const { command, origin } = found;
    this.log.begin(`starting ${command} (${origin === 'path' ? 'from the PATH' : origin})`);
    this.become('starting');
    const client = new Client({
      command,
      log: this.log.channel,
      trace: this.trace,
      middleware: this.middleware,
      readErrors: (lines) => { this.log.read(lines, () => this.state === 'running'); },
      closed: () => {
        if (client === this.client()) {
          this.crashed();
        }
      },
    });
    for (const [method, handle] of Object.entries(this.notifications)) {
      client.onNotification(method, handle);
    }
    this.current = client;
    const problem = await client.problemOfStart();
    if (problem === undefined) {
      this.backoff.started();
      this.become('running');
    } else {
      await this.end();
      await this.startFailed(problem);
    }
  }

  /** Ends the process, if there is one, and drops it. */
  private async end(): Promise<void> {
    clearTimeout(this.timer);
    const client = this.current;
    this.current = undefined;
    // The process of a client that never ran is ended all the same.
    await client?.dispose().catch((error: unknown) => { this.log.channel.debug(String(error)); });
  }

  private async startFailed(problem: string): Promise<void> {
    const lastWords = await this.log.lastWords();
    if (this.backoff.count > 0) {
      this.crashed();
    } else {
      this.become('failed', `${this.command ?? 'chatls'} did not start as a language server: ${lastWords || problem}`);
    }
  }

  private crashed(): void {
    const delay = this.backoff.ended();
    if (delay === undefined) {
      this.become('failed', `The chatls server ended ${this.backoff.count} times in a row, and is left alone now.`);
      return;
    }
    this.become('waiting', `It ended unexpectedly, and starts again in ${delay / 1000} s.`);
    this.timer = setTimeout(() => void this.enqueue(async () => (this.state === 'waiting' ? this.launch() : undefined)), delay);
  }

  private become(state: ServerState, reason = ''): void {
    this.state = state;
    this.reason = reason;
    if (state === 'failed') {
      this.log.channel.error(reason);
    }
    this.states.fire(state);
  }
}
