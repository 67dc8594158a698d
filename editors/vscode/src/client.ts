/** The LSP client: the documents that it sends, and its differences from the library's defaults. */
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  RevealOutputChannelOn,
  ShowMessageRequest,
  type InitializeParams,
  type Middleware,
} from 'vscode-languageclient/node';
import { elapsed } from './common';
import { maximumRegions } from './foldLimits';
import { IncludedFeatures } from './includedFeatures';
import { JSON_NAMES, LANGUAGES } from './languages';
import { PlatformClient, SCHEMES, type Lines } from './platform';
import type { Extension } from './protocol';
import { ask } from './questions';
import { settingsForServer } from './settings';
import { TranscriptFeatures } from './transcriptFeatures';

/** The inputs of a client. */
interface ClientParts {
  command: string;
  log: vscode.LogOutputChannel;
  trace: vscode.LogOutputChannel;
  middleware: Middleware;
  readErrors: (lines: Lines) => void;
  /** Called when the connection ends. */
  closed: () => void;
}

/** The time limit for the response to `initialize`, in milliseconds. */
const PATIENCE = 30_000;

export class Client extends PlatformClient {
  readonly forTranscripts = new TranscriptFeatures(this);
  readonly included = new IncludedFeatures(this);

  constructor({ command, log, trace, middleware, readErrors, closed }: ClientParts) {
    super(command, readErrors, {
      documentSelector: [
        ...SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language }))),
        ...SCHEMES.map((scheme) => ({ scheme, language: 'json', pattern: `**/{${JSON_NAMES.join(',')}}` })),
        // The server also handles its diagnostics, links and definitions.
        ...SCHEMES.map((scheme) => ({ scheme, pattern: '**/chatls.toml' })),
      ],
      outputChannel: log,
      traceOutputChannel: trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          closed();
          return { action: CloseAction.DoNotRestart, handled: true, message: 'The server has ended.' };
        },
      },
      // In restricted mode nothing is run.
      initializationOptions: vscode.workspace.isTrusted ? { commandLinks: true } : { restricted: true },
      // The caller of the start reports the failure.
      initializationFailedHandler: () => false,
      middleware: { ...middleware, workspace: { configuration, didChangeConfiguration: (_sections, next) => next(undefined) } },
      // Texts of documents are shown too, so a link may only lead to what asks the user.
      markdown: { isTrusted: { enabledCommands: ['chatls.pullTools'] }, supportHtml: false },
    });
    this.registerFeature(this.forTranscripts);
    this.registerFeature(this.included);
    this.onRequest(ShowMessageRequest.type, async ({ message, actions = [] }) => ask(message, actions));
  }

  /** Starts; returns the reason why that failed, or nothing. Errors are written to the log. */
  async problemOfStart(): Promise<string | undefined> {
    const late = elapsed(PATIENCE, `no response for ${PATIENCE / 1000} s`);
    return Promise.race([this.start().then(() => undefined), late]).catch(() => 'it ended without an answer');
  }

  /** True if the server supports one of the requests beyond LSP. */
  offers(name: Extension): boolean {
    const experimental: unknown = this.initializeResult?.capabilities.experimental;
    return (experimental as { chatls?: Partial<Record<Extension, boolean>> } | undefined)?.chatls?.[name] === true;
  }

  /** True if the server announces the command. */
  hasCommand(command: string): boolean {
    return this.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) === true;
  }

  /** Writes errors to the log only: the extension reports what users need to know. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** Requests as many folding ranges as the editor keeps; the library requests 5000. */
  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    Object.assign(params.capabilities.textDocument?.foldingRange ?? {}, { rangeLimit: maximumRegions() });
  }
}

/** The server is only notified that something changed: it then requests the settings by folder. */
const configuration: NonNullable<NonNullable<Middleware['workspace']>['configuration']> = ({ items }) =>
  items.map(({ scopeUri, section }) => {
    const scope = scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri);
    return section === 'chatls' ? settingsForServer(vscode.workspace.getConfiguration(undefined, scope).inspect('chatls')) : null;
  });
