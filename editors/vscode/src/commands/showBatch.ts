/** Shows a batch drawn open: the server's hover has it, laid out, which a message cannot show. */
import * as vscode from 'vscode';

/** At the place that a lens names, else at the cursor. */
export async function showBatch(argument: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const place = argument as { position?: { line: number; character: number } } | undefined;
  if (editor && place?.position) {
    const at = new vscode.Position(place.position.line, place.position.character);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
  }
  await vscode.commands.executeCommand('editor.action.showHover');
}
