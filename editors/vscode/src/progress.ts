/** Progress of requests that take long. */
import * as vscode from 'vscode';
import { elapsed } from './common';
import { isAsking, untilAsking } from './questions';

/** Milliseconds before anything is shown. */
const SECOND = 1000;

/**
 * Does `work`; if that takes longer than a second, shows `title` with a button that cancels it (unless it cannot be
 * cancelled), but not while the user is asked. Nothing after a cancellation.
 */
export async function withProgress<T>(
  title: string,
  work: (token: vscode.CancellationToken) => Promise<T>,
  { cancellable = true } = {},
): Promise<T | undefined> {
  const source = new vscode.CancellationTokenSource();
  const isCancelled = (): boolean => source.token.isCancellationRequested;
  const result = work(source.token);
  void show({ title, cancellable }, source, result);
  try {
    const value = await result;
    return isCancelled() ? undefined : value;
  } catch (error) {
    if (isCancelled()) {
      return undefined;
    }
    throw error;
  }
}

async function show(shown: { title: string; cancellable: boolean }, source: vscode.CancellationTokenSource, result: Promise<unknown>): Promise<void> {
  const over = result.then(() => 'over', () => 'over');
  while ((await Promise.race([over, elapsed(SECOND, 'late')])) === 'late') {
    if (isAsking()) {
      await Promise.race([over, untilAsking(false)]);
      continue;
    }
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, ...shown }, async (_, token) => {
      token.onCancellationRequested(() => { source.cancel(); });
      await Promise.race([over, untilAsking(true)]);
    });
  }
  source.dispose();
}
