/** The calls that run: an item in the status bar, and a list to cancel them. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { baseName, inform } from '../common';
import { orSayWhyNot } from '../commands/write';
import { plural } from '../counts';
import type { RunItem } from '../protocol';
import type { Server } from '../server';

interface Entry extends vscode.QuickPickItem {
  runs: readonly RunItem[];
}

const SHOW: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: 'Show Call' };

export class Runs {
  private runs: readonly RunItem[] = [];
  private readonly item = vscode.window.createStatusBarItem('chatls.runs', vscode.StatusBarAlignment.Right, 99);

  constructor(context: vscode.ExtensionContext, private readonly server: Server) {
    this.item.name = 'Running Tool Calls (chatls)';
    this.item.command = 'chatls.cancelRuns';
    server.notifications['chatls/runs'] = (params) => { this.set((params as { runs: RunItem[] }).runs); };
    context.subscriptions.push(
      this.item,
      server.onDidChangeState(() => {
        this.set([]);
        void vscode.commands.executeCommand('setContext', 'chatls.canRun', server.runs('chatls.run'));
        void vscode.commands.executeCommand('setContext', 'chatls.canContinue', server.runs('chatls.continue'));
      }),
    );
  }

  /** Lets the user choose a run, and cancels it. */
  async cancel(): Promise<void> {
    if (this.runs.length === 0) {
      inform('No tool call is running.');
      return;
    }
    const entries = this.runs.map((run): Entry => ({ ...described(run), runs: [run], buttons: [SHOW] }));
    const all: Entry[] = this.runs.length > 1 ? [{ label: '$(debug-stop) Cancel All', runs: this.runs }] : [];
    const [chosen] = await choose([...all, ...entries]);
    for (const { uri, id } of chosen?.runs ?? []) {
      const cancelled = this.server.client()?.sendRequest(ExecuteCommandRequest.type, { command: 'chatls.cancelRun', arguments: [{ uri, id }] });
      await orSayWhyNot(Promise.resolve(cancelled));
    }
  }

  private set(runs: readonly RunItem[]): void {
    this.runs = runs;
    const [first, second] = runs;
    if (first === undefined) {
      this.item.hide();
      return;
    }
    const words = second === undefined ? first.title || 'a tool call' : plural(runs.length, 'tool call');
    this.item.text = `$(loading~spin) Running ${words}`;
    this.item.accessibilityInformation = { label: `chatls runs ${words}`, role: 'button' };
    this.item.tooltip = runs.map(({ title, ...run }) => `${title} · ${wordsOf(run)}`).join('\n') + '\nClick to cancel';
    this.item.show();
  }
}

/** The chosen entry; a button shows the call of its entry instead. */
async function choose(entries: readonly Entry[]): Promise<readonly Entry[]> {
  const pick = vscode.window.createQuickPick<Entry>();
  Object.assign(pick, { title: 'Running Tool Calls', placeholder: 'The call to cancel', items: entries });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems);
      pick.hide();
    });
    pick.onDidTriggerItemButton(({ item: { runs } }) => {
      pick.hide();
      runs.forEach((run) => void show(run));
    });
    pick.onDidHide(() => {
      resolve([]);
      pick.dispose();
    });
    pick.show();
  });
}

async function show({ uri, line }: RunItem): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: new vscode.Range(line, 0, line, 0) });
}

function described(run: RunItem): vscode.QuickPickItem {
  return { label: `$(debug-stop) Cancel ${run.title}`, description: wordsOf(run), ...(run.message !== undefined && { detail: run.message }) };
}

function wordsOf({ uri, line, server }: Omit<RunItem, 'title'>): string {
  const place = `${baseName(vscode.Uri.parse(uri))}, line ${line + 1}`;
  return server === undefined ? place : `${server} · ${place}`;
}
