/** Why the editor does not fold all that there is, and what to do about it. */
import * as vscode from 'vscode';

const MAXIMUM = 'editor.foldingMaximumRegions';
/** The largest value that the editor takes for it, and its default. */
const MOST = 65_000;
const DEFAULT = 5000;
/** VS Code, `TextModel`: from there on it folds nothing. */
const LARGE_LINES = 300_000;
const LARGE_BYTES = 20 * 1024 * 1024;

/** How many folding ranges of a document the editor keeps, as it is set for everything. */
export function maximumRegions(): number {
  return vscode.workspace.getConfiguration().get(MAXIMUM, DEFAULT);
}

/** Whether the editor folds nothing in a document that extensions find; says why, and offers the setting. */
export async function foldsNothing(document: vscode.TextDocument): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration('editor', document);
  if (!settings.get<boolean>('folding', true)) {
    await offerSetting('Nothing is folded: folding is off in this editor.', 'editor.folding');
  } else if (settings.get('foldingStrategy') === 'indentation') {
    await offerSetting('Nothing is folded: this editor folds by indentation.', 'editor.foldingStrategy');
  } else if (isTooLarge(document) && settings.get<boolean>('largeFileOptimizations', true)) {
    const why = 'Nothing is folded: VS Code does not fold documents above 20 MB or 300,000 lines while its optimizations for large files are on.';
    await offerSetting(why, 'editor.largeFileOptimizations');
  } else {
    return false;
  }
  return true;
}

/** Says that only `folded` of `wanted` batches and calls are folded, and offers to raise the limit; `again` folds the others then. */
export async function explainMissingFolds(document: vscode.TextDocument, folded: number, wanted: number, again: () => Promise<void>): Promise<void> {
  const maximum = vscode.workspace.getConfiguration('editor', document).get<number>('foldingMaximumRegions', DEFAULT);
  await offerToRaise(`${folded} of ${wanted} batches and calls are folded`, maximum, again);
}

function isTooLarge(document: vscode.TextDocument): boolean {
  return document.lineCount > LARGE_LINES || document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > LARGE_BYTES;
}

async function offerSetting(message: string, name: string): Promise<void> {
  const open = 'Open Setting';
  if ((await vscode.window.showWarningMessage(message, open)) === open) {
    await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${name}`);
  }
}

async function offerToRaise(folded: string, maximum: number, again: () => Promise<void>): Promise<void> {
  const limit = `VS Code keeps at most ${maximum} folding ranges of a document (${MAXIMUM})`;
  if (maximum >= MOST) {
    void vscode.window.showWarningMessage(`${folded}: ${limit}, and takes no higher limit.`);
    return;
  }
  const raise = 'Raise the Limit';
  if ((await vscode.window.showWarningMessage(`${folded}: ${limit}.`, raise)) === raise) {
    const restarting = changed(MAXIMUM);
    await vscode.workspace.getConfiguration().update(MAXIMUM, MOST, vscode.ConfigurationTarget.Global);
    await restarting;
    await again();
  }
}

/** Ends when the setting is another one, and those who listened before know it. */
async function changed(setting: string): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(setting)) {
        listening.dispose();
        resolve();
      }
    });
  });
}
