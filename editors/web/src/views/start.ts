/** The page before a document is open. */
import { element } from '../../../vscode/media/preview/dom';
import { textButton, textElement } from './parts';

export interface StartEvents {
  pasted: (text: string) => void;
  choose: () => void;
  sample: () => void;
}

export function startElement({ pasted, choose, sample }: StartEvents): HTMLElement {
  const start = element('section', 'start');
  start.setAttribute('aria-label', 'Start');
  const area = element('textarea');
  area.placeholder = 'Paste a transcript here, or drop files anywhere on the page';
  area.setAttribute('aria-label', 'Paste a transcript here');
  area.spellcheck = false;
  // A paste comes as a whole; what is typed waits for the button.
  const open = textButton('Open', () => { pasted(area.value); }, 'button primary');
  open.hidden = true;
  area.addEventListener('input', () => { open.hidden = area.value === ''; });
  const row = element('p', 'row');
  row.append(open, textButton('Choose files…', choose), textButton('Try a broken session', sample));
  start.append(
    textElement('h1', 'Check, repair and read transcripts of AI conversations'),
    textElement('p', 'Sessions of Claude Code, Codex, Gemini CLI, Cline and many others; messages of OpenAI, Anthropic and the AI SDK; Markdown with tool calls. In any of their forms.', 'lead'),
    area,
    row,
    steps(),
  );
  return start;
}

/** A function that lets the user choose files. */
export function fileChooser(open: (files: File[]) => void): () => void {
  const input = element('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    open([...(input.files ?? [])]);
    input.value = '';
  });
  input.hidden = true;
  document.body.append(input);
  return () => { input.click(); };
}

function steps(): HTMLElement {
  const list = element('ul', 'steps');
  const rows: [string, string][] = [
    ['See what is wrong', 'Lost results, broken JSON, duplicate ids, and whatever else servers reject, each with its line.'],
    ['Repair it', 'Changes in words and as a diff, before anything is written.'],
    ['Read and share it', 'The chat, folded; redacted copies; other forms; one HTML file.'],
    ['Keep it to yourself', 'All work is done in your browser. The page cannot send anything: its security policy refuses every request, so it works offline, too.'],
  ];
  for (const [title, words] of rows) {
    const row = element('li');
    row.append(textElement('h2', title), textElement('p', words));
    list.append(row);
  }
  return list;
}
