/** Exports a transcript as an HTML page or as Markdown. */
import * as vscode from 'vscode';
import { activeTranscript, baseName, folderOf, messageOf } from './common';
import { withProgress } from './progress';
import type { Exported } from './protocol';
import type { Server } from './server';

const FORMS = [
  { label: 'HTML', description: 'one page for light and dark screens; batches expand on a click', format: 'html', extension: '.html' },
  { label: 'Markdown', description: 'without dialects: calls as lists, results as code', format: 'markdown', extension: '.export.md' },
  { label: 'Redacted HTML', description: 'pseudonyms for secrets, user names and mail addresses', format: 'html', extension: '.html', redact: true },
  { label: 'Redacted Markdown', description: 'pseudonyms for secrets, user names and mail addresses', format: 'markdown', extension: '.export.md', redact: true },
];

export function registerExport(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(vscode.commands.registerCommand('chatls.export', async () => exportTranscript(server)));
}

async function exportTranscript(server: Server): Promise<void> {
  const uri = activeTranscript()?.uri;
  // An older server would ignore it, and write everything.
  const forms = FORMS.filter((form) => form.redact !== true || server.offers('redact'));
  const form = uri && (await vscode.window.showQuickPick(forms, { title: 'Export Transcript', placeHolder: 'The format of the new file' }));
  const dialog = form && { defaultUri: besideIt(uri, form.extension), title: `Export as ${form.label}` };
  const target = dialog && (await vscode.window.showSaveDialog(dialog));
  if (!target) {
    return;
  }
  const { format, redact } = form;
  try {
    const title = `Exporting ${baseName(uri)}`;
    const exported = await withProgress(title, async (token) => server.request<Exported>('export', uri, { format, redact }, token));
    if (exported === undefined) {
      return;
    }
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(exported.text));
  } catch (error) {
    void vscode.window.showErrorMessage(`The transcript was not exported: ${messageOf(error)}`);
    return;
  }
  const open = await vscode.window.showInformationMessage(`Exported to ${vscode.workspace.asRelativePath(target)}.`, 'Open');
  if (open !== undefined) {
    await (format === 'html' ? vscode.env.openExternal(target) : vscode.window.showTextDocument(target));
  }
}

/** The suggested path of the new file; in the home folder for a document that is not a file. */
function besideIt(uri: vscode.Uri, extension: string): vscode.Uri {
  const name = baseName(uri).replace(/\.[^.]*$/, '') + extension;
  const folder = uri.scheme === 'untitled' ? vscode.workspace.workspaceFolders?.[0]?.uri : folderOf(uri);
  return folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name);
}
