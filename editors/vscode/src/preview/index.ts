/** The preview: a transcript as a chat, beside the editor. */
import * as vscode from 'vscode';
import { isTranscript } from '../languages';
import type { Server } from '../server';
import type { PageState } from './messages';
import { Previews } from './previews';
import { VIEW_TYPE } from './preview';

export function registerPreview(context: vscode.ExtensionContext, server: Server): void {
  const previews = new Previews(context.extensionUri, server);
  const open = async (column: vscode.ViewColumn, uri: unknown): Promise<void> => {
    const wanted = uri instanceof vscode.Uri ? uri : activeTranscript();
    if (wanted === undefined) {
      await vscode.window.showInformationMessage('Open a transcript first: a Markdown document or a stream log.');
    } else {
      await previews.open(wanted, column);
    }
  };
  context.subscriptions.push(
    previews,
    vscode.commands.registerCommand('chatls.openPreview', async (uri: unknown) => open(vscode.ViewColumn.Active, uri)),
    vscode.commands.registerCommand('chatls.openPreviewToSide', async (uri: unknown) => open(vscode.ViewColumn.Beside, uri)),
    vscode.commands.registerCommand('chatls.togglePreviewLock', () => {
      previews.toggleLock();
    }),
    vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      async deserializeWebviewPanel(panel, state: Partial<PageState> | undefined) {
        if (typeof state?.uri === 'string') {
          await previews.restore(panel, vscode.Uri.parse(state.uri), state.locked === true);
        } else {
          panel.dispose();
        }
      },
    }),
  );
}

function activeTranscript(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isTranscript(document) ? document.uri : undefined;
}
