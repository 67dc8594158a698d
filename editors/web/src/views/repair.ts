/** Repair: the changes in words, those to make ticked, and what they do to the text. */
import type { TextEdit } from 'vscode-languageserver-protocol';
import { element } from '../../../vscode/media/preview/dom';
import { plural } from '../../../vscode/src/counts';
import type { App } from '../app';
import { diffOf } from '../text/diff';
import { extensionOf, renamed, save } from '../text/save';
import { Dialog } from './dialog';
import { diffElement } from './diffView';
import { textButton, tick } from './parts';

export interface Repair {
  changes: { title: string; count: number; lines: string }[];
  outcome: string;
  edits: TextEdit[];
}

export async function openRepair(app: App): Promise<void> {
  const dialog = new Dialog('Repair', 'Adds what a server or a program misses, and removes what it rejects. Nothing that was said is changed.', () => { app.cancel(); }).open();
  const all = await dialog.run('Looking for damage', async () => request(app));
  if (all === undefined) {
    return;
  }
  if (all.changes.length === 0) {
    dialog.say('Nothing to repair. Problems that are left need your decision: see the list below the text.');
    dialog.buttons.append(textButton('Close', () => { dialog.close(); }, 'button primary'));
    return;
  }
  new RepairChoice(app, dialog, all).draw();
}

async function request({ client, document }: App, only?: string[]): Promise<Repair> {
  return client.request<Repair>('chatls/repair', document, { only });
}

class RepairChoice {
  private readonly ticks: { title: string; input: HTMLInputElement }[] = [];
  private readonly diff = element('div');
  private readonly apply = textButton('Repair', () => { this.make(); }, 'button primary');
  private readonly saving = textButton('Repair and save', () => { this.save(); });

  constructor(private readonly app: App, private readonly dialog: Dialog, private chosen: Repair) {}

  draw(): void {
    const list = element('fieldset', 'choices');
    list.setAttribute('aria-label', 'Changes');
    for (const { title, count, lines } of this.chosen.changes) {
      const detail = count === 1 ? lines : `${plural(count, 'change')}, ${lines}`;
      const made = tick(title, detail, true, () => void this.choose());
      this.ticks.push({ title, input: made.input });
      list.append(made.element);
    }
    this.dialog.content.append(list, this.diff);
    this.dialog.buttons.append(this.saving, this.apply);
    this.drawDiff();
    this.apply.focus();
  }

  private async choose(): Promise<void> {
    const only = this.ticks.filter(({ input }) => input.checked).map(({ title }) => title);
    const chosen = await this.dialog.run('Reading', async () => request(this.app, only));
    if (chosen !== undefined) {
      this.chosen = chosen;
      this.drawDiff();
    }
  }

  private drawDiff(): void {
    this.apply.disabled = this.chosen.edits.length === 0;
    this.saving.disabled = this.apply.disabled;
    this.diff.replaceChildren(diffElement(diffOf(this.app.document.doc, this.chosen.edits)));
  }

  private make(): void {
    this.app.edit(this.chosen.edits);
    this.dialog.close();
    this.app.say(`${this.words()} Undo in the text takes it back.`);
  }

  private save(): void {
    this.app.edit(this.chosen.edits);
    const { document } = this.app;
    const name = renamed(document.name, extensionOf(document.name), '-repaired');
    save(name, document.content());
    this.dialog.close();
    this.app.say(`${this.words()} Saved as ${name}.`);
  }

  /** `3 changes made.` */
  private words(): string {
    return `${this.chosen.outcome.replace(/:.*/s, '')}.`;
  }
}
