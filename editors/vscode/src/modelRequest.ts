/** Copies the request that continues the conversation at the cursor. */
import * as vscode from 'vscode';
import { activeTranscript, baseName, inform, messageOf } from './common';
import { withProgress } from './progress';
import type { ModelRequest } from './protocol';
import type { Server } from './server';

const SERVERS = [
  { label: 'OpenAI', description: 'chat completions', to: 'openai' },
  { label: 'Anthropic', description: 'Messages API', to: 'anthropic' },
  { label: 'AI SDK', description: 'useChat', to: 'ai-sdk' },
  { label: 'Chat shell', description: 'with toolClients', to: 'chat-wrapper' },
];
const REDACTED = 'pseudonyms for secrets, user names and mail addresses';
const FORMS = [
  ...SERVERS.map((server) => ({ ...server, redact: false })),
  ...SERVERS.map(({ label, description, to }) => ({ label: `Redacted: ${label}`, description: `${description}; ${REDACTED}`, to, redact: true })),
];

export function registerModelRequest(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(vscode.commands.registerCommand('chatls.copyRequest', async () => copyRequest(server)));
}

async function copyRequest(server: Server): Promise<void> {
  const document = activeTranscript();
  const position = document && vscode.window.activeTextEditor?.selection.active;
  // An older server would ignore it, and copy everything.
  const forms = FORMS.filter((form) => !form.redact || server.offers('redact'));
  const form = position && (await vscode.window.showQuickPick(forms, { title: 'Copy Request', placeHolder: 'The server that takes it' }));
  if (!form) {
    return;
  }
  try {
    const { to, redact } = form;
    const ask = async (token: vscode.CancellationToken): Promise<ModelRequest> =>
      server.request('modelRequest', document.uri, { to, position, redact }, token);
    const request = await withProgress(`Writing the request of ${baseName(document.uri)}`, ask);
    if (request === undefined) {
      return;
    }
    await vscode.env.clipboard.writeText(request.text);
    inform(['The request up to the cursor was copied.', ...request.warnings.map((warning) => `Note: ${warning}.`)].join(' '));
  } catch (error) {
    void vscode.window.showErrorMessage(`The request was not copied: ${messageOf(error)}`);
  }
}
