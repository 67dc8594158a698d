/** What the visible documents hold, kept up to date while somebody types; of large ones, what the visible part holds. */
import * as vscode from 'vscode';
import { isTranscript } from './languages';
import { isLarge, visiblePart } from './large';
import type { ToolUses } from './protocol';
import type { Server } from './server';

/** Milliseconds without a change before the server is asked. */
const QUIET = 150;
/** Lines above and below the visible ones that are asked for, so that scrolling a little asks for nothing. */
const MARGIN = 200;
/** And as many times what the last answer took, so that large documents are asked less often. */
const SLOWDOWN = 3;

interface Kept {
  uses: ToolUses | undefined;
  /** The part that `uses` are of; all where it is missing. */
  part: vscode.Range | undefined;
  timer: NodeJS.Timeout | undefined;
  asking: vscode.CancellationTokenSource | undefined;
  /** Whether it has changed since the server was asked. */
  isStale: boolean;
  /** Milliseconds that the last answer took. */
  took: number;
}

export class VisibleToolUses implements vscode.Disposable {
  private readonly kept = new Map<string, Kept>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];

  /** Fires with the document that others are known of now. */
  readonly onDidChange = this.changes.event;

  constructor(private readonly server: Server) {
    this.subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(() => { this.follow(); }),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => { this.scrolled(textEditor); }),
      vscode.workspace.onDidOpenTextDocument((document) => { this.later(document); }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { this.later(document); }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => { this.forget(uri.toString()); }),
      // Also where a `chatls.toml` has changed: then others are found.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => { this.diagnosed(uris); }),
      server.onDidChangeState(() => { this.follow(); }),
    ];
    this.follow();
  }

  /** What is known of a document, perhaps of an older version. Of a large document it is what is visible, and the counts. */
  of(document: vscode.TextDocument): ToolUses | undefined {
    return this.kept.get(document.uri.toString())?.uses;
  }

  /** What its newest version holds. */
  async fresh(document: vscode.TextDocument): Promise<ToolUses | undefined> {
    await this.server.whenStarted();
    const kept = this.kept.get(document.uri.toString());
    const isWhole = kept?.part === undefined && kept?.uses?.version === document.version;
    return isWhole ? kept.uses : this.server.toolUses(document.uri);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    for (const key of [...this.kept.keys()]) {
      this.forget(key);
    }
    this.changes.dispose();
  }

  private follow(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      this.later(document);
    }
  }

  private scrolled({ document, visibleRanges }: vscode.TextEditor): void {
    const part = this.kept.get(document.uri.toString())?.part;
    if (part !== undefined && !visibleRanges.every((visible) => part.contains(visible))) {
      this.later(document);
    }
  }

  private diagnosed(uris: readonly vscode.Uri[]): void {
    const changed = new Set(uris.map(String));
    for (const { document } of vscode.window.visibleTextEditors) {
      if (changed.has(document.uri.toString())) {
        this.later(document);
      }
    }
  }

  private later(document: vscode.TextDocument): void {
    const isVisible = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
    if (!isVisible || !isTranscript(document)) {
      return;
    }
    const kept = this.keep(document.uri.toString());
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => { void this.ask(document, kept); }, Math.max(QUIET, SLOWDOWN * kept.took));
  }

  /** One question at a time: answers about large documents are large. */
  private async ask(document: vscode.TextDocument, kept: Kept): Promise<void> {
    if (kept.asking) {
      kept.isStale = true;
      return;
    }
    const asking = new vscode.CancellationTokenSource();
    kept.asking = asking;
    kept.isStale = false;
    const begun = Date.now();
    try {
      const part = isLarge(document) ? visiblePart(document, MARGIN) : undefined;
      kept.uses = await this.server.toolUses(document.uri, asking.token, part);
      kept.part = part;
      kept.took = Date.now() - begun;
      this.changes.fire(document.uri);
    } catch {
      // It was closed, or the server ended: then it is of no interest, or asked for again.
    } finally {
      kept.asking = undefined;
      asking.dispose();
      this.askAgain(document, kept);
    }
  }

  private askAgain(document: vscode.TextDocument, kept: Kept): void {
    if (kept.isStale) {
      this.later(document);
    }
  }

  private keep(key: string): Kept {
    const kept = this.kept.get(key) ?? { uses: undefined, part: undefined, timer: undefined, asking: undefined, isStale: false, took: 0 };
    this.kept.set(key, kept);
    return kept;
  }

  private forget(key: string): void {
    const kept = this.kept.get(key);
    clearTimeout(kept?.timer);
    kept?.asking?.cancel();
    this.kept.delete(key);
  }
}
