/** Convert: the conversation in another form. What it would lose is named. */
import type { Conversation } from '../../../vscode/src/protocol';
import { element } from '../../../vscode/media/preview/dom';
import type { App } from '../app';
import { renamed, save } from '../text/save';
import { Dialog } from './dialog';
import { textButton, textElement } from './parts';

/** The forms of `chatls convert`. */
const FORMS: Record<string, [to: string, words: string][]> = {
  Messages: [
    ['openai', 'OpenAI: chat completions'],
    ['anthropic', 'Anthropic: Messages API'],
    ['ai-sdk', 'AI SDK: UI messages'],
    ['responses', 'OpenAI: items of the Responses API'],
    ['sharegpt', 'ShareGPT'],
    ['finetune', 'Fine-tuning: OpenAI messages, one conversation per line'],
  ],
  Markdown: [
    ['fence', 'Tool fences: calls in fenced blocks of the language tool'],
    ['tag', '<tool> tags'],
    ['marker', '###: markers'],
    ['hermes', '<tool_call> elements of Hermes and Qwen'],
  ],
};
const EXTENSIONS = { markdown: '.chat.md', json: '.json', jsonl: '.jsonl' };

/** Characters of the result that are shown. */
const SHOWN = 20_000;

export function openConvert(app: App): void {
  const dialog = new Dialog('Convert', 'The conversation in another form, as a new document.', () => { app.cancel(); }).open();
  const label = textElement('label', 'Form ', 'field');
  const select = element('select');
  label.append(select);
  const losses = element('p', 'losses');
  const shown = element('pre', 'shown');
  shown.tabIndex = 0;
  shown.setAttribute('aria-label', 'Result');
  for (const [group, forms] of Object.entries(FORMS)) {
    const part = element('optgroup');
    part.label = group;
    part.append(...forms.map(([to, words]) => new Option(words, to)));
    select.append(part);
  }
  let result: Conversation | undefined;
  const name = (): string => renamed(app.document.name, EXTENSIONS[result?.languageId ?? 'json'], `.${select.value}`);
  const keep = textButton('Save', () => {
    save(name(), result?.text ?? '');
    app.say(`Saved as ${name()}.`);
    dialog.close();
  }, 'button primary');
  const openNew = textButton('Open as new document', () => {
    dialog.close();
    void app.openText(name(), result?.text ?? '');
  });
  const convert = async (): Promise<void> => {
    const to = select.value;
    result = undefined;
    const answer = await dialog.run('Converting', async () => app.client.request<Conversation>('chatls/conversation', app.document, { to }));
    if (select.value !== to) {
      return;
    }
    result = answer;
    keep.disabled = openNew.disabled = result === undefined;
    losses.textContent = result === undefined ? '' : lossesOf(result);
    losses.classList.toggle('warning', result !== undefined && result.losses !== '');
    shown.hidden = result === undefined;
    shown.textContent = result === undefined ? '' : startOf(result.text);
  };
  select.addEventListener('change', () => void convert());
  dialog.content.append(label, losses, shown);
  dialog.buttons.append(openNew, keep);
  select.focus();
  void convert();
}

function lossesOf({ losses }: Conversation): string {
  return losses === '' ? 'Nothing is lost: what is written reads back the same.' : `This form ${losses}.`;
}

function startOf(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… (the beginning of ${text.length.toLocaleString('en')} characters)` : text;
}
