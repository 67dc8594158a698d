/** The tool uses of the visible documents; of large ones, those of the visible part. */
import * as vscode from 'vscode';
import { isTranscript } from './languages';
import { isLarge, visiblePart } from './large';
import type { Batch, ToolUses } from './protocol';
import { Refresh } from './refresh';
import type { Server } from './server';

/** Large documents are requested less often. */
const PACE = { pause: 150, slowdown: 3, waitsForQuiet: true };
/** Lines requested above and below the visible ones, for scrolling a little. */
const MARGIN = 200;

interface Kept {
  refresh: Refresh;
  uses?: ToolUses | undefined;
  /** The part that `uses` cover; the whole document if absent. */
  part?: vscode.Range | undefined;
}

export class VisibleToolUses {
  private readonly kept = new Map<string, Kept>();
  private readonly changes = new vscode.EventEmitter<vscode.TextDocument>();

  /** Fires with the document whose tool uses were updated. */
  readonly onDidChange = this.changes.event;

  constructor(context: vscode.ExtensionContext, private readonly server: Server) {
    const later = (document: vscode.TextDocument): void => { this.later(document); };
    const all = (): void => { visibleDocuments().forEach(later); };
    context.subscriptions.push(
      this.changes,
      vscode.window.onDidChangeVisibleTextEditors(all),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => { this.scrolled(textEditor); }),
      vscode.workspace.onDidOpenTextDocument(later),
      vscode.workspace.onDidChangeTextDocument(({ document }) => { later(document); }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => { this.forget(uri.toString()); }),
      // After a change of a `chatls.toml` the results may differ, too.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const changed = new Set(uris.map(String));
        visibleDocuments().filter(({ uri }) => changed.has(uri.toString())).forEach(later);
      }),
      server.onDidChangeState(all),
      { dispose: () => { [...this.kept.keys()].forEach((key) => { this.forget(key); }); } },
    );
    all();
  }

  /**
   * The known tool uses of a document, possibly of an older version. For a large document: those of
   * the visible part, and the counts.
   */
  of(document: vscode.TextDocument): ToolUses | undefined {
    return this.kept.get(document.uri.toString())?.uses;
  }

  /** The tool uses of its newest version; nothing if the server does not support the request. */
  async fresh(document: vscode.TextDocument): Promise<ToolUses | undefined> {
    await this.server.whenStarted();
    const kept = this.kept.get(document.uri.toString());
    const isWhole = kept?.part === undefined && kept?.uses?.version === document.version;
    return isWhole ? kept.uses : this.ask(document);
  }

  /** The batch that contains the cursor, even between two calls. */
  async batchAt({ document, selection }: vscode.TextEditor): Promise<Batch | undefined> {
    const { line } = selection.active;
    return (await this.fresh(document))?.batches.find(({ range }) => range.start.line <= line && line <= range.end.line);
  }

  /** Follows a document that has become a transcript, or forgets one that is none any more. */
  again(document: vscode.TextDocument): void {
    if (isTranscript(document)) {
      this.later(document);
    } else {
      this.forget(document.uri.toString());
      this.changes.fire(document);
    }
  }

  private scrolled({ document, visibleRanges }: vscode.TextEditor): void {
    const part = this.kept.get(document.uri.toString())?.part;
    if (part !== undefined && !visibleRanges.every((visible) => part.contains(visible))) {
      this.later(document);
    }
  }

  private later(document: vscode.TextDocument): void {
    if (!visibleDocuments().includes(document) || !isTranscript(document)) {
      return;
    }
    const key = document.uri.toString();
    const kept = this.kept.get(key) ?? { refresh: new Refresh(async (token) => this.update(document, token), PACE) };
    this.kept.set(key, kept);
    kept.refresh.soon();
  }

  private async update(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<void> {
    const part = isLarge(document) ? visiblePart(document, MARGIN) : undefined;
    try {
      const uses = await this.ask(document, token, part);
      Object.assign(this.kept.get(document.uri.toString()) ?? {}, { uses, part });
      this.changes.fire(document);
    } catch {
      // It was closed, or the server ended: not needed, or requested again.
    }
  }

  private async ask({ uri }: vscode.TextDocument, token?: vscode.CancellationToken, part?: vscode.Range): Promise<ToolUses | undefined> {
    if (!this.server.offers('toolUses')) {
      return undefined;
    }
    return this.server.request('toolUses', uri, part && { range: { start: part.start, end: part.end } }, token);
  }

  private forget(key: string): void {
    this.kept.get(key)?.refresh.dispose();
    this.kept.delete(key);
  }
}

function visibleDocuments(): vscode.TextDocument[] {
  return vscode.window.visibleTextEditors.map(({ document }) => document);
}
