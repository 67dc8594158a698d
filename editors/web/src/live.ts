/** Keeps the views of a document up to date: after each change, with one request after the other. */
import type { CodeAction, Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol';
import { inWords } from '../../vscode/src/counts';
import type { Message, ToolUses, Transcript } from '../../vscode/src/protocol';
import type { App } from './app';
import { problemsOf } from './editor/diagnostics';
import type { FoldingRanges } from './editor/folding';
import { fixAllOf } from './lsp/fixes';
import { START } from './text/position';
import { messageOf } from './views/parts';
import type { Repair } from './views/repair';
import type { Statistics } from './views/statistics';

export interface LiveViews {
  diagnostics(all: Diagnostic[], problems: Diagnostic[]): void;
  summary(words: string): void;
  folds(folds: FoldingRanges): void;
  messages(messages: Message[]): Promise<void>;
  /** `undefined`: not known, because the document is large. */
  repairs(count: number | undefined): void;
  fixAll(action: CodeAction | undefined): void;
  statistics(statistics: Statistics): void;
  /** The current step, in words; empty at the end. */
  stage(words: string): void;
  visible(): object;
  wantsStatistics(): boolean;
}

/** Characters up to which repairs and fixes are tried after each change. */
const SMALL = 2_000_000;

export class Live {
  private serial = 0;
  private timer = 0;
  private duration = 0;

  constructor(private readonly app: App, private readonly views: LiveViews) {}

  /** After a change: not before it has been quiet for as long as the last time took. */
  soon(): void {
    this.serial++;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.now(), Math.min(Math.max(this.duration, 150), 3000));
  }

  /** Answers about another text are not shown any more. */
  stop(): void {
    this.serial++;
    clearTimeout(this.timer);
    this.views.stage('');
  }

  /** False if something was not answered, or is not wanted any more. */
  async now(): Promise<boolean> {
    this.stop();
    const { serial } = this;
    const began = performance.now();
    for (const step of this.steps()) {
      const isAnswered = await this.try(async () => step(() => serial === this.serial));
      if (serial !== this.serial) {
        return false;
      }
      if (!isAnswered) {
        this.views.stage('');
        return false;
      }
    }
    this.views.stage('');
    this.duration = performance.now() - began;
    return true;
  }

  /** Shows why an answer did not come; those of an engine that has ended are not missed. */
  private async try(step: () => Promise<void>): Promise<boolean> {
    const { client } = this.app;
    try {
      await step();
      return true;
    } catch (error) {
      if (client === this.app.client) {
        this.app.say(messageOf(error));
      }
      return false;
    }
  }

  /** Each shows its answer only if that is still wanted. */
  private steps(): ((isCurrent: () => boolean) => Promise<void>)[] {
    const { views, app } = this;
    const { client, document } = app;
    const ask = <T>(words: string, request: () => Promise<T>, show: (answer: T) => unknown) => async (isCurrent: () => boolean): Promise<void> => {
      views.stage(words);
      const answer = await request();
      if (isCurrent()) {
        await show(answer);
      }
    };
    let problems: Diagnostic[] = [];
    const isSmall = document.current.length <= SMALL;
    return [
      ask('Checking', async () => client.request<DocumentDiagnosticReport>('textDocument/diagnostic', document), (report) => {
        const all = report.kind === 'full' ? report.items : [];
        problems = problemsOf(all);
        views.diagnostics(all, problems);
      }),
      ask('Counting', async () => client.request<ToolUses>('chatls/toolUses', document, { range: { start: START, end: START } }), (uses) => {
        views.summary(uses.isTranscript ? inWords(uses, problems.length) : 'no messages or tool calls were found in this text');
      }),
      async () => this.folds(),
      ask('Reading the chat', async () => client.request<Transcript>('chatls/transcript', document), async ({ messages }) => views.messages(messages)),
      isSmall ? ask('Looking for damage', async () => client.request<Repair>('chatls/repair', document), ({ changes }) => {
        views.repairs(changes.reduce((sum, { count }) => sum + count, 0));
      }) : async () => { views.repairs(undefined); return Promise.resolve(); },
      isSmall ? ask('Looking for fixes', async () => fixAllOf(app), (action) => { views.fixAll(action); }) : async () => Promise.resolve(),
      async () => (views.wantsStatistics() ? this.statistics() : Promise.resolve()),
    ];
  }

  /** The folds of the visible lines. */
  async folds(): Promise<void> {
    const { client, document } = this.app;
    const folds = await client.request<FoldingRanges>('chatls/foldingRanges', document, { range: this.views.visible() });
    if (this.app.document === document && document.current === document.doc) {
      this.views.folds(folds);
    }
  }

  async statistics(): Promise<void> {
    const { client, document } = this.app;
    const { statistics } = await client.request<{ statistics: Statistics }>('chatls/statistics', document);
    if (this.app.document === document) {
      this.views.statistics(statistics);
    }
  }
}
