/** All that the page shows of the document in front. */
import { unfoldAll } from '@codemirror/language';
import type { CodeAction, Diagnostic, Range } from 'vscode-languageserver-protocol';
import { element } from '../../../vscode/media/preview/dom';
import { Chat } from '../chat/chat';
import type { App } from '../app';
import { Editor } from '../editor/editor';
import { severityOf, showDiagnostics, wordsOf } from '../editor/diagnostics';
import { foldCalls, hasFolds, showFolds, type FoldingRanges } from '../editor/folding';
import type { Live, LiveViews } from '../live';
import { fixesOf, make } from '../lsp/fixes';
import type { Message } from '../../../vscode/src/protocol';
import { openConvert } from './convert';
import { ProblemsView, fixButtons } from './problems';
import { Page, type PageEvents, type PaneName } from './page';
import { messageOf, sentence, withCode } from './parts';
import { openRedact } from './redact';
import { openRepair } from './repair';
import { openShare } from './share';
import { statisticsElements, type Statistics } from './statistics';

export type ViewsEvents = Pick<PageEvents, 'choose' | 'save' | 'selectDocument' | 'closeDocument'> & {
  changed(): void;
  stage(words: string): void;
};

export class Views implements LiveViews {
  readonly page: Page;
  readonly editor: Editor;
  readonly chat = new Chat((range) => { this.reveal(range); });
  readonly live: Live;
  private readonly found: ProblemsView;
  private pane: PaneName = 'chat';
  private readonly wide = matchMedia('(min-width: 56rem)');

  constructor(private readonly app: App, private readonly events: ViewsEvents, live: (views: LiveViews) => Live) {
    this.live = live(this);
    this.page = new Page({
      ...events,
      fold: () => void this.fold(),
      repair: () => void openRepair(app),
      redact: () => void openRedact(app),
      convert: () => { openConvert(app); },
      share: () => { openShare(app); },
      pane: (name) => { this.show(name); },
    });
    this.editor = new Editor(this.page.editor, {
      changed: () => { this.live.soon(); events.changed(); },
      moved: (position) => { this.chat.follow(position); },
      scrolled: () => void this.try(async () => this.live.folds()),
    });
    const fixing = { fixes: async (diagnostic: Diagnostic) => fixesOf(app, diagnostic), make: (action: CodeAction) => void this.make(action) };
    this.found = new ProblemsView({ ...fixing, reveal: ({ range }) => { this.reveal(range); } });
    this.page.textPane.append(this.found.element);
    this.page.chatPane.append(this.chat.element);
    this.wide.addEventListener('change', () => { this.show(this.pane); });
    this.show(this.wide.matches ? 'chat' : 'problems');
  }

  /** Forgets the document that was in front. */
  clear(): void {
    this.page.summary.textContent = '';
    this.found.wait();
    this.nameFold();
    this.fixAll(undefined);
    this.repairs(undefined);
    this.page.statistics.replaceChildren();
  }

  diagnostics(all: Diagnostic[], problems: Diagnostic[]): void {
    showDiagnostics(this.editor.view, all, (diagnostic) => this.tooltip(diagnostic));
    const { scrollDOM } = this.editor.view;
    const height = scrollDOM.clientHeight;
    this.found.update(problems);
    if (scrollDOM.clientHeight < height) {
      this.editor.keepCursor();
    }
    this.page.panes.rename('problems', problems.length === 0 ? 'Problems' : `Problems ${problems.length}`);
    const worst = problems[0] === undefined ? '' : severityOf(problems[0]);
    this.page.summary.dataset.worst = worst;
  }

  summary(words: string): void {
    this.page.summary.textContent = sentence(words);
  }

  folds(folds: FoldingRanges): void {
    showFolds(this.editor.view, folds.ranges);
  }

  async messages(messages: Message[]): Promise<void> {
    await this.chat.update(this.app.document.uri, messages);
  }

  repairs(count: number | undefined): void {
    const { repair } = this.page;
    repair.classList.toggle('primary', count !== undefined && count > 0);
    repair.textContent = count !== undefined && count > 0 ? `Repair (${count})` : 'Repair';
  }

  fixAll(action: CodeAction | undefined): void {
    this.found.offerFixAll(action);
  }

  statistics(statistics: Statistics): void {
    const reveal = (line: number): void => { this.reveal({ start: { line, character: 0 }, end: { line, character: 0 } }); };
    this.page.statistics.replaceChildren(...statisticsElements(statistics, reveal));
  }

  stage(words: string): void {
    this.events.stage(words);
  }

  visible(): Range {
    return this.editor.visible();
  }

  wantsStatistics(): boolean {
    return this.pane === 'statistics';
  }

  /** Shows a place in the text. */
  reveal(range: Range): void {
    if (!this.wide.matches) {
      this.show('text');
    }
    this.editor.reveal(range);
  }

  private show(pane: PaneName): void {
    this.pane = this.wide.matches && (pane === 'text' || pane === 'problems') ? 'chat' : pane;
    this.page.showPane(this.pane);
    if (this.pane === 'statistics' && !this.page.work.hidden) {
      void this.try(async () => this.live.statistics());
    }
  }

  private async fold(): Promise<void> {
    const { client, document } = this.app;
    await this.try(async () => {
      if (hasFolds(this.editor.view)) {
        unfoldAll(this.editor.view);
        return;
      }
      foldCalls(this.editor.view, (await client.request<FoldingRanges>('chatls/foldingRanges', document)).ranges);
    });
    this.nameFold();
  }

  private nameFold(): void {
    this.page.fold.textContent = hasFolds(this.editor.view) ? 'Unfold' : 'Fold calls';
  }

  private async make(action: CodeAction): Promise<void> {
    await this.try(async () => make(this.app, action));
  }

  private tooltip(diagnostic: Diagnostic): HTMLElement {
    const box = element('div', 'tooltip');
    box.append(...withCode(wordsOf(diagnostic)));
    const fixing = { fixes: async () => fixesOf(this.app, diagnostic), make: (action: CodeAction) => void this.make(action) };
    void fixButtons(fixing, diagnostic).then((buttons) => { box.append(buttons); });
    return box;
  }

  private async try(action: () => Promise<void>): Promise<void> {
    await action().catch((error: unknown) => { this.app.say(messageOf(error)); });
  }
}
