/** The language server's process: starts it, stops it, and tells what it is doing. */
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { offers, requestToolUses, type ToolUses } from './protocol';

export type ServerState = 'stopped' | 'starting' | 'running' | 'failed';

export class Server implements vscode.Disposable {
  private readonly states = new vscode.EventEmitter<ServerState>();
  private current: LanguageClient | undefined;
  private now: ServerState = 'stopped';

  /** Fires with the new state. */
  readonly onDidChangeState = this.states.event;

  constructor(_context: vscode.ExtensionContext) {
    // Where the server is looked for comes next.
  }

  get state(): ServerState {
    return this.now;
  }

  /** The client, while the server runs. */
  client(): LanguageClient | undefined {
    return this.now === 'running' ? this.current : undefined;
  }

  /** The tool uses of an open document; nothing where the server does not run or cannot tell. */
  async toolUses(uri: vscode.Uri, token?: vscode.CancellationToken): Promise<ToolUses | undefined> {
    const client = this.client();
    return client && offers(client, 'toolUses') ? requestToolUses(client, uri, token) : undefined;
  }

  async start(): Promise<void> {
    const configured = vscode.workspace.getConfiguration('chatls').get<string>('path');
    const command = configured === undefined || configured === '' ? 'chatls' : configured;
    this.become('starting');
    this.current = new LanguageClient('chatls', 'chatls', { command, args: ['serve'] }, {
      documentSelector: ['markdown', 'jsonl', 'ndjson', 'sse'].map((language) => ({ language })),
    });
    await this.current.start();
    this.become('running');
  }

  async stop(): Promise<void> {
    await this.current?.dispose();
    this.current = undefined;
    this.become('stopped');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  dispose(): void {
    void this.stop();
    this.states.dispose();
  }

  private become(state: ServerState): void {
    this.now = state;
    this.states.fire(state);
  }
}
