/** Repairs a transcript: the user chooses among the changes, and may look at a diff first. */
import * as vscode from 'vscode';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { baseName, inform, messageOf, toRange } from './common';
import { plural } from './counts';
import { REPAIR_SCHEME } from './languages';
import { withProgress } from './progress';
import type { Server } from './server';

interface RepairChange {
  title: string;
  count: number;
  /** `lines 3, 8` */
  lines: string;
}

/** The result of `chatls/repair`: the changes that repair a document. */
interface Repair {
  version: number | null;
  changes: RepairChange[];
  /** What to tell the user afterwards. */
  outcome: string;
  edits: TextEdit[];
}

interface Row extends vscode.QuickPickItem {
  title: string;
}

const SHOW: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('diff'), tooltip: 'Show the Changes as a Diff' };

/** The texts of the diffs that are shown. */
const texts = new Map<string, string>();

export function registerRepair(context: vscode.ExtensionContext): void {
  const provideTextDocumentContent = (uri: vscode.Uri): string => texts.get(uri.toString()) ?? '';
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(REPAIR_SCHEME, { provideTextDocumentContent }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
  );
}

export async function repair(server: Server, uri: vscode.Uri): Promise<void> {
  const name = baseName(uri);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const ask = async (title: string, more: object): Promise<Repair | undefined> =>
      withProgress(title, async (token) => server.request<Repair>('repair', uri, more, token));
    const all = await ask(`Reading ${name}`, {});
    if (all === undefined) {
      return;
    }
    const wanted = all.changes.length === 0 ? undefined : await choose(server, document, all);
    if (all.changes.length === 0) {
      inform(`${name}: ${all.outcome}`);
      return;
    }
    if (wanted === undefined || wanted.length === 0) {
      inform(`${name}: nothing was changed`);
      return;
    }
    const chosen = await ask(`Repairing ${name}`, { only: wanted });
    if (chosen === undefined) {
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri, chosen.edits.map(({ range, newText }) => new vscode.TextEdit(toRange(range), newText)));
    // The document may have changed since the server read it.
    const isCurrent = chosen.version === document.version;
    const isApplied = isCurrent && (await vscode.workspace.applyEdit(edit));
    inform(`${name}: ${isApplied ? chosen.outcome : 'nothing was changed, because the document has changed meanwhile'}`);
  } catch (error) {
    void vscode.window.showErrorMessage(`${name} was not repaired: ${messageOf(error)}`);
  }
}

/** The titles of the changes that the user leaves ticked; nothing after a cancellation. */
async function choose(server: Server, document: vscode.TextDocument, all: Repair): Promise<string[] | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = `Repair ${baseName(document.uri)}`;
  pick.placeholder = 'The changes to make';
  pick.canSelectMany = true;
  // It stays while the diff is opened.
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = all.changes.map(rowOf);
  pick.selectedItems = pick.items;
  pick.buttons = [SHOW];
  const titles = (): string[] => pick.selectedItems.map(({ title }) => title);
  return new Promise((resolve) => {
    pick.onDidTriggerButton(() => {
      showDiff(server, document, titles()).catch((error: unknown) => void vscode.window.showErrorMessage(messageOf(error)));
    });
    pick.onDidAccept(() => {
      resolve(titles());
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function rowOf({ title, count, lines }: RepairChange): Row {
  return { label: title, description: count === 1 ? lines : `${plural(count, 'change')}, ${lines}`, title };
}

async function showDiff(server: Server, document: vscode.TextDocument, only: string[]): Promise<void> {
  const { edits } = await server.request<Repair>('repair', document.uri, { only });
  const name = baseName(document.uri);
  const repaired = vscode.Uri.from({ scheme: REPAIR_SCHEME, path: `/${name}`, query: String(Date.now()) });
  texts.set(repaired.toString(), edited(document, edits));
  await vscode.commands.executeCommand('vscode.diff', document.uri, repaired, `${name} ↔ repaired`, { preview: true, preserveFocus: true });
}

/** The text after `edits`, which are in order. */
function edited(document: vscode.TextDocument, edits: readonly TextEdit[]): string {
  const text = document.getText();
  const parts: string[] = [];
  let at = 0;
  for (const { range, newText } of edits) {
    const { start, end } = toRange(range);
    parts.push(text.slice(at, document.offsetAt(start)), newText);
    at = document.offsetAt(end);
  }
  return [...parts, text.slice(at)].join('');
}
