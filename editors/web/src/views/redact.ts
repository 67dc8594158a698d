/** Redact: a copy with pseudonyms for secrets, names and addresses. */
import { Text } from '@codemirror/state';
import { element } from '../../../vscode/media/preview/dom';
import type { App } from '../app';
import { diffOf, editsBetween } from '../text/diff';
import { extensionOf, renamed, save } from '../text/save';
import { Dialog } from './dialog';
import { diffElement } from './diffView';
import { textButton, textElement } from './parts';

export interface Redacted {
  text: string;
  /** `3 user names, 1 address`, or `nothing`. */
  counts: string;
  /** A sentence about the rest, with its lines. */
  left: string | null;
}

export async function requestRedacted({ client, document }: App): Promise<Redacted> {
  return client.request<Redacted>('chatls/redacted', document);
}

export async function openRedact(app: App): Promise<void> {
  const { document } = app;
  const dialog = new Dialog('Redact', 'A copy to share, with pseudonyms for keys, user names and mail addresses. The document itself stays as it is.', () => { app.cancel(); }).open();
  const redacted = await dialog.run('Looking for secrets, names and addresses', async () => requestRedacted(app));
  if (redacted === undefined) {
    return;
  }
  const name = renamed(document.name, extensionOf(document.name), '-redacted');
  dialog.content.append(...resultOf(redacted), changesOf(document.doc, redacted.text));
  const keep = textButton('Save copy', () => { save(name, redacted.text); dialog.close(); app.say(`Saved as ${name}.`); }, 'button primary');
  dialog.buttons.append(
    textButton('Open as new document', () => { dialog.close(); void app.openText(name, redacted.text); }),
    keep,
  );
  keep.focus();
}

export function resultOf({ counts, left }: Redacted): HTMLElement[] {
  const found = textElement('p', counts === 'nothing' ? 'Nothing was found to replace.' : `Replaces ${counts}.`, 'strong');
  const rest = left === null ? [] : [textElement('p', left, 'warning')];
  const advice = textElement('p', 'Read the copy before you share it: names in running text are not found.', 'quiet');
  return [found, ...rest, advice];
}

function changesOf(before: Text, after: string): HTMLElement {
  const fresh = Text.of(after.split(/\r\n?|\n/));
  const edits = fresh.lines === before.lines ? editsBetween(before, fresh) : [];
  return edits.length === 0 ? element('div') : diffElement(diffOf(before, edits));
}
