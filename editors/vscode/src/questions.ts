/** The server's questions: a confirmation is a dialog, other choices are a list. */
import * as vscode from 'vscode';
import type { MessageActionItem } from 'vscode-languageclient/node';
import { areButtons } from './answers';

/** What refuses an answer; all other answers change the document. */
const REFUSALS: Partial<Record<string, string>> = { Agree: "Don't Start", Run: "Don't Run", Send: "Don't Send" };

/** The number of questions without an answer; the event fires when it changes. */
let open = 0;
const changes = new vscode.EventEmitter<undefined>();

/** True while the user is asked. */
export function isAsking(): boolean {
  return open > 0;
}

/** Waits until the user is asked, or is no longer. */
export async function untilAsking(wanted: boolean): Promise<void> {
  while (isAsking() !== wanted) {
    await new Promise<void>((resolve) => {
      const listening = changes.event(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}

export async function ask(message: string, actions: readonly MessageActionItem[]): Promise<MessageActionItem | null> {
  const count = (more: number): void => {
    open += more;
    changes.fire(undefined);
  };
  count(1);
  return answer(message, actions).finally(() => { count(-1); });
}

/**
 * Asks a question whose first line is the question itself. The other lines are facts, such as the
 * command line of a server: they are shown as they are, each on a line, and not cut off. If the
 * question can be cancelled, Enter does that.
 */
async function answer(message: string, actions: readonly MessageActionItem[]): Promise<MessageActionItem | null> {
  const [question = '', ...facts] = message.split('\n');
  const items = actions.map((action) => ({ label: plain(action.title), title: plain(action.title), action }));
  const cancel = items.filter(({ title }) => title === 'Cancel');
  const others = items.filter(({ title }) => title !== 'Cancel');
  const chosen =
    cancel.length > 0 && areButtons(others.map(({ title }) => title))
      ? // A dialog has its own `Cancel`, which is its last button.
        await vscode.window.showWarningMessage(sentence(question), { modal: true, detail: facts.join('\n') }, refusal(others[0]?.title), ...others)
      : await vscode.window.showQuickPick([...cancel, ...others], {
          title: plain(question),
          placeHolder: facts.join(' '),
          ignoreFocusOut: true,
        });
  return chosen?.action ?? null;
}

/** The first button of a dialog has the focus: an Enter that was meant for the text must agree to nothing. */
function refusal(answer = ''): { title: string; action: MessageActionItem | null } {
  return { title: REFUSALS[answer] ?? 'Keep as It Is', action: null };
}

function sentence(question: string): string {
  return /[.?!]$/.test(question) ? plain(question) : `${plain(question)}.`;
}

/** Lists and dialogs do not render Markdown. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}
