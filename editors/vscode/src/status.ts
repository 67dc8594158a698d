/** The item in the status bar: whether the server runs, and what the document holds. */
import * as vscode from 'vscode';
import { count, inWords, type Counts } from './counts';
import { countProblems } from './diagnostics';
import { isTranscript } from './languages';
import type { Server, ServerState } from './server';
import type { VisibleToolUses } from './toolUses';

const STATES: Record<ServerState, { icon: string; words: string }> = {
  stopped: { icon: 'circle-slash', words: 'stopped' },
  starting: { icon: 'loading~spin', words: 'starting' },
  running: { icon: 'comment-discussion', words: 'running' },
  waiting: { icon: 'history', words: 'restarting' },
  failed: { icon: 'error', words: 'not running' },
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('chatls.status', vscode.StatusBarAlignment.Right, 100);
  private readonly subscriptions: vscode.Disposable[];
  private told: boolean | undefined;

  constructor(
    private readonly server: Server,
    private readonly uses: VisibleToolUses,
  ) {
    this.item.name = 'chatls';
    this.item.command = 'chatls.showMenu';
    const draw = (): void => { this.draw(); };
    this.subscriptions = [
      server.onDidChangeState(draw),
      uses.onDidChange(draw),
      vscode.window.onDidChangeActiveTextEditor(draw),
      vscode.languages.onDidChangeDiagnostics(draw),
      vscode.workspace.onDidOpenTextDocument(draw),
    ];
    draw();
  }

  dispose(): void {
    vscode.Disposable.from(this.item, ...this.subscriptions).dispose();
  }

  private draw(): void {
    const document = vscode.window.activeTextEditor?.document;
    const counts = document && isTranscript(document) ? this.countsOf(document) : undefined;
    const isChat = document !== undefined && counts !== undefined && isChatDocument(document, counts);
    this.tellMenus(isChat);
    const { state } = this.server;
    if (counts === undefined || (!isChat && !isTrouble(state))) {
      this.item.hide();
      return;
    }
    const { icon, words } = STATES[state];
    this.item.text = `$(${icon}) ${state === 'running' ? short(counts) : `chatls: ${words}`}`;
    this.item.backgroundColor = background(state);
    this.item.tooltip = this.tooltip(counts);
    this.item.accessibilityInformation = { label: `chatls ${words}, ${inWords(counts)}` };
    this.item.show();
  }

  /** For the conditions of buttons and menus. */
  private tellMenus(isChat: boolean): void {
    if (this.told !== isChat) {
      this.told = isChat;
      void vscode.commands.executeCommand('setContext', 'chatls.isTranscript', isChat);
    }
  }

  private countsOf(document: vscode.TextDocument): Counts {
    return count(this.uses.of(document), countProblems(document.uri));
  }

  private tooltip(counts: Counts): vscode.MarkdownString {
    const { info, state, reason, command } = this.server;
    const tooltip = new vscode.MarkdownString();
    tooltip.appendMarkdown(`**chatls** ${info?.version ?? ''} ${STATES[state].words}`);
    for (const line of [reason, command, inWords(counts)]) {
      if (line !== undefined && line !== '') {
        tooltip.appendMarkdown('\n\n').appendText(line);
      }
    }
    return tooltip;
  }
}

function isTrouble(state: ServerState): boolean {
  return state === 'failed' || state === 'waiting';
}

function background(state: ServerState): vscode.ThemeColor | undefined {
  return isTrouble(state)
    ? new vscode.ThemeColor(`statusBarItem.${state === 'failed' ? 'error' : 'warning'}Background`)
    : undefined;
}

/** Many Markdown documents are no chats: the item would be in the way there. */
function isChatDocument(document: vscode.TextDocument, { calls, problems }: Counts): boolean {
  return calls > 0 || problems > 0 || /\.chat\.md$/i.test(document.fileName) || !document.languageId.endsWith('markdown');
}

/** `12 $(error) 1 $(watch) 2`: calls, and what needs a look. */
function short({ calls, failed, pending, problems }: Counts): string {
  const some = (number: number, icon: string): string => (number > 0 ? ` $(${icon}) ${number}` : '');
  return `${calls}${some(failed, 'error')}${some(pending, 'watch')}${some(problems, 'warning')}`;
}
