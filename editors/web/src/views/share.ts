/** Share: the chat as one HTML file, or a small document in a link. */
import { element } from '../../../vscode/media/preview/dom';
import type { Exported } from '../../../vscode/src/protocol';
import type { App } from '../app';
import { fragmentOf, LONGEST_LINK } from '../text/link';
import { renamed, save } from '../text/save';
import { Dialog } from './dialog';
import { textButton, textElement, tick } from './parts';
import { requestRedacted, resultOf } from './redact';

export function openShare(app: App): void {
  const dialog = new Dialog('Share', 'As a file or a link that you pass on yourself. The page sends nothing.', () => { app.cancel(); }).open();
  const found = element('div');
  const redact = tick('Redact first', 'pseudonyms for keys, user names and mail addresses', true, () => void describe());
  const describe = async (): Promise<void> => {
    found.replaceChildren();
    const redacted = redact.input.checked ? await dialog.run('Looking for secrets', async () => requestRedacted(app)) : undefined;
    found.replaceChildren(...(redacted === undefined ? [] : resultOf(redacted)));
  };
  const link = element('input', 'link');
  link.readOnly = true;
  link.hidden = true;
  link.setAttribute('aria-label', 'Link');
  link.addEventListener('focus', () => { link.select(); });
  const file = textButton('Save as HTML file', () => void saveHtml(app, dialog, redact.input.checked), 'button primary');
  const make = textButton('Make a link', () => void showLink(app, dialog, link, redact.input.checked));
  dialog.content.append(
    redact.element,
    found,
    textElement('p', 'The file shows the chat in any browser; nothing in it runs or loads. The link contains the whole document, compressed: whoever has the link can read it, and browsers do not send that part of it to any server.', 'quiet'),
    link,
  );
  dialog.buttons.append(make, file);
  file.focus();
  void describe();
}

async function saveHtml(app: App, dialog: Dialog, redact: boolean): Promise<void> {
  const params = { format: 'html', redact };
  const exported = await dialog.run('Writing the file', async () => app.client.request<Exported>('chatls/export', app.document, params));
  if (exported !== undefined) {
    const name = renamed(app.document.name, '.html');
    save(name, exported.text);
    dialog.say(`Saved as ${name}.`);
  }
}

async function showLink(app: App, dialog: Dialog, link: HTMLInputElement, redact: boolean): Promise<void> {
  const text = redact ? (await dialog.run('Redacting', async () => requestRedacted(app)))?.text : app.document.content();
  if (text === undefined) {
    return;
  }
  const fragment = await fragmentOf({ name: app.document.name, text });
  link.hidden = fragment.length > LONGEST_LINK;
  if (link.hidden) {
    dialog.say(`The document is too large for a link: it would have ${fragment.length.toLocaleString('en')} characters, of at most ${LONGEST_LINK.toLocaleString('en')}. Save it as a file instead.`);
    return;
  }
  link.value = location.href.replace(/#.*$/, '') + fragment;
  link.focus();
  const isCopied = await copied(link.value);
  const where = location.protocol === 'file:' ? ' It opens on this computer only, because this page is a file on it.' : '';
  dialog.say(`${isCopied ? 'Copied' : 'The link'}: ${link.value.length.toLocaleString('en')} characters.${where}`);
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
