/** A row of tabs. Arrow keys go from one to the next, Delete closes one that can be closed. */
import { button, element } from '../../../vscode/media/preview/dom';

export interface Tab {
  id: string;
  name: string;
  title?: string;
}

export class Tabs {
  readonly element = element('div', 'tabs');
  private readonly list = element('div', 'list');
  private selected = '';

  constructor(label: string, private readonly choose: (id: string) => void, private readonly close?: (id: string) => void) {
    this.list.setAttribute('role', 'tablist');
    this.list.setAttribute('aria-label', label);
    this.list.addEventListener('keydown', (event) => { this.key(event); });
    this.element.append(this.list);
  }

  update(tabs: readonly Tab[]): void {
    const focused = this.list.contains(document.activeElement);
    this.list.replaceChildren(...tabs.map((tab) => this.tab(tab)));
    this.element.querySelectorAll('.close').forEach((old) => { old.remove(); });
    if (this.close !== undefined && tabs.length > 0) {
      const made = button('close', () => this.close?.(this.selected));
      made.textContent = '✕';
      made.setAttribute('aria-label', 'Close document');
      made.title = 'Close document';
      this.element.append(made);
    }
    this.select(this.selected);
    if (focused) {
      this.button(this.selected)?.focus();
    }
  }

  select(id: string): void {
    this.selected = id;
    for (const tab of this.list.querySelectorAll<HTMLElement>('[role=tab]')) {
      const isSelected = tab.dataset.id === id;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    }
  }

  /** Shows other words on a tab. */
  rename(id: string, name: string): void {
    const tab = this.button(id);
    if (tab !== undefined) {
      tab.textContent = name;
    }
  }

  private tab({ id, name, title = '' }: Tab): HTMLElement {
    const made = button('tab', () => { this.choose(id); });
    made.setAttribute('role', 'tab');
    made.dataset.id = id;
    made.textContent = name;
    made.title = title;
    return made;
  }

  private button(id: string): HTMLElement | undefined {
    return [...this.list.querySelectorAll<HTMLElement>('[role=tab]')].find((tab) => tab.dataset.id === id);
  }

  private key(event: KeyboardEvent): void {
    const tabs = [...this.list.querySelectorAll<HTMLElement>('[role=tab]')].filter((tab) => tab.offsetParent !== null);
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      const next = tabs.at((at + step + tabs.length) % tabs.length);
      next?.click();
      next?.focus();
    } else if (event.key === 'Delete' && this.close !== undefined) {
      this.close(this.selected);
    }
  }
}
