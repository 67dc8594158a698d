/** The status bar item: the state of the server, and the counts of the document. */
import * as vscode from 'vscode';
import { problemsOf } from './common';
import { inWords } from './counts';
import { isJson, isNamedTranscript, isTranscript } from './languages';
import type { Server, ServerState } from './server';
import type { VisibleToolUses } from './toolUses';

interface Look {
  icon: string;
  words: string;
  background?: vscode.ThemeColor;
}

const LOOKS: Record<ServerState, Look> = {
  stopped: { icon: 'circle-slash', words: 'stopped' },
  starting: { icon: 'loading~spin', words: 'starting' },
  running: { icon: 'comment-discussion', words: 'running' },
  waiting: { icon: 'history', words: 'restarting', background: new vscode.ThemeColor('statusBarItem.warningBackground') },
  failed: { icon: 'error', words: 'not running', background: new vscode.ThemeColor('statusBarItem.errorBackground') },
};

const NO_CALLS = 'This transcript has no tool calls in a form that chatls reads: tool fences, markers, tags, and logs of the AI SDK.';

export class Status {
  private readonly item = vscode.window.createStatusBarItem('chatls.status', vscode.StatusBarAlignment.Right, 100);
  private readonly contexts = new Map<string, boolean>();

  constructor(context: vscode.ExtensionContext, private readonly server: Server, private readonly uses: VisibleToolUses) {
    this.item.name = 'Tool Calls (chatls)';
    this.item.command = 'chatls.showMenu';
    const draw = (): void => { this.draw(); };
    context.subscriptions.push(
      this.item,
      server.onDidChangeState(draw),
      uses.onDidChange(draw),
      vscode.window.onDidChangeActiveTextEditor(draw),
      vscode.languages.onDidChangeDiagnostics(draw),
      vscode.workspace.onDidOpenTextDocument(draw),
      vscode.workspace.onDidChangeConfiguration(draw),
    );
    draw();
  }

  private draw(): void {
    const document = vscode.window.activeTextEditor?.document;
    const { state } = this.server;
    const isPossible = document !== undefined && isTranscript(document) && isEnabled(document);
    const uses = isPossible ? this.uses.of(document) : undefined;
    const isChat = isPossible && (uses?.isTranscript ?? isNamedTranscript(document));
    this.setContext('isTranscript', isChat);
    this.setContext('canInsert', isPossible && !isJson(document) && uses?.enabled !== false);
    this.setContext('isRunning', state === 'running');
    // The first response of a running server shows whether there are results.
    if (!isChat || (state === 'running' && uses === undefined)) {
      this.item.hide();
      return;
    }
    const problems = problemsOf(document.uri).filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Information);
    const counts = inWords(uses, problems.length);
    const { icon, words, background } = LOOKS[state];
    this.item.text = `$(${icon}) ${state === 'running' ? counts : `chatls: ${words}`}`;
    this.item.backgroundColor = background;
    this.item.tooltip = this.tooltip(words, [counts, state === 'running' && uses?.counts.toolUses === 0 ? NO_CALLS : '']);
    this.item.accessibilityInformation = { label: `chatls ${words}, ${counts}`, role: 'button' };
    this.item.show();
  }

  /** For `when` clauses of buttons and menus. */
  private setContext(name: string, value: boolean): void {
    if (this.contexts.get(name) !== value) {
      this.contexts.set(name, value);
      void vscode.commands.executeCommand('setContext', `chatls.${name}`, value);
    }
  }

  private tooltip(words: string, more: string[]): vscode.MarkdownString {
    const { version, reason, command = '' } = this.server;
    const tooltip = new vscode.MarkdownString(`**chatls** ${version} ${words}`);
    [reason, command, ...more].filter(Boolean).forEach((line) => tooltip.appendMarkdown('\n\n').appendText(line));
    return tooltip;
  }
}

/** The editor's setting; that of a `chatls.toml` comes with the server's response. */
function isEnabled(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration('chatls', document).get('enable', true);
}
