/** The initial page of a preview. Its script renders the rest. */
import * as vscode from 'vscode';
import { folderOf } from '../common';

export function pageHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', name)).toString();
  const policy = [
    `default-src 'none'`,
    `img-src ${webview.cspSource} data:`,
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address('preview.css')}">
<title>Preview</title>
</head>
<body>
<script nonce="${nonce}" src="${address('preview.js')}"></script>
</body>
</html>`;
}

/** Images come from the document's folder and the workspace, the page itself from the extension. */
export function resourceRoots(extension: vscode.Uri, document: vscode.Uri): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
  return [vscode.Uri.joinPath(extension, 'dist'), folderOf(document), ...folders];
}
