/** Asks the server for a transcript, or finds out why it cannot be had. */
import * as vscode from 'vscode';
import { offers, requestTranscript, type Transcript } from '../protocol';
import type { Server } from '../server';
import type { Notice } from './messages';

/** Nothing where the question was taken back meanwhile. */
export async function askForTranscript(
  server: Server,
  uri: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<Transcript | Notice | undefined> {
  const client = server.client();
  if (client === undefined) {
    return server.state === 'starting' ? { kind: 'starting' } : { kind: 'stopped', reason: server.reason };
  }
  if (!offers(client, 'transcript')) {
    return { kind: 'outdated' };
  }
  try {
    // The server knows open documents only; this one's editor may be closed.
    await vscode.workspace.openTextDocument(uri);
    return await requestTranscript(client, uri, token);
  } catch (error) {
    // A server that ends while it is asked says so by its state.
    if (token.isCancellationRequested || server.client() === undefined) {
      return undefined;
    }
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}
