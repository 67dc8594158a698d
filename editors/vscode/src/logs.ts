/** The logs of the extension and the server. */
import * as vscode from 'vscode';
import { elapsed } from './common';
import type { Lines } from './platform';

/** The number of the server's last lines that are kept, to explain a failed start. */
const KEPT = 5;
/** The maximum wait for them, in milliseconds. */
const LAST_WORDS = 500;
/** `2026-01-02T03:04:05.678Z  WARN chatls::lsp: …` */
const LINE = /^\S+Z\s+(ERROR|WARN|INFO|DEBUG|TRACE)\s+(.*)$/;
const TRACE_SETTING = 'chatls.trace.server';

/** The log of the server, with its last lines. */
export class ServerLog {
  readonly channel = vscode.window.createOutputChannel('chatls', { log: true });
  private last: string[] = [];
  private reading: Promise<unknown> = Promise.resolve();

  /** Starts over with a new process. */
  begin(words: string): void {
    this.last = [];
    this.reading = Promise.resolve();
    this.channel.info(words);
  }

  /** Takes the lines of stderr. Warnings and errors of a running server also arrive as messages. */
  read(lines: Lines, isRunning: () => boolean): void {
    this.reading = lines((line) => {
      this.last = [...this.last, line].slice(-KEPT);
      const [, level, words] = LINE.exec(line) ?? [];
      if (level !== 'ERROR' && level !== 'WARN') {
        this.channel.info(level === undefined ? line : `${level.toLowerCase()}: ${words ?? ''}`);
      } else if (!isRunning()) {
        this.channel.warn(words ?? line);
      }
    });
  }

  /** The last lines of a process that has ended. */
  async lastWords(): Promise<string> {
    await Promise.race([this.reading, elapsed(LAST_WORDS, undefined)]);
    return this.last.join('\n');
  }
}

/**
 * A channel for the messages between editor and server. The client writes to it while its level is
 * `Trace`, which is derived from the setting `chatls.trace.server`. It is only listed once it has
 * content.
 */
export function traceChannel(context: vscode.ExtensionContext): vscode.LogOutputChannel {
  const levels = new vscode.EventEmitter<vscode.LogLevel>();
  const level = (): vscode.LogLevel =>
    vscode.workspace.getConfiguration().get<string>(TRACE_SETTING, 'off') === 'off' ? vscode.LogLevel.Off : vscode.LogLevel.Trace;
  let made: vscode.OutputChannel | undefined;
  const trace = (message: string): void => {
    made ??= vscode.window.createOutputChannel('chatls trace');
    made.appendLine(`[${new Date().toISOString()}] ${message}`);
  };
  context.subscriptions.push(
    levels,
    { dispose: () => made?.dispose() },
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(TRACE_SETTING)) {
        levels.fire(level());
      }
    }),
  );
  // The client uses no other members.
  const used: Partial<vscode.LogOutputChannel> = { get logLevel() { return level(); }, onDidChangeLogLevel: levels.event, trace };
  return used as vscode.LogOutputChannel;
}
