/** The list of problems below the text, each with its fixes. */
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol';
import { button, element } from '../../../vscode/media/preview/dom';
import { plural } from '../../../vscode/src/counts';
import { severityOf, wordsOf } from '../editor/diagnostics';
import { textButton, textElement, withCode } from './parts';

/** Problems in the list at once. */
const SHOWN = 200;

const NAMES = { error: 'Error', warning: 'Warning', info: 'Note', hint: 'Hint' };
const SIGNS = { error: '✕', warning: '!', info: 'i', hint: '·' };

export interface ProblemEvents {
  reveal(diagnostic: Diagnostic): void;
  fixes(diagnostic: Diagnostic): Promise<CodeAction[]>;
  make(action: CodeAction): void;
}

export class ProblemsView {
  readonly element = element('section', 'problems');
  private readonly heading = element('h2');
  private readonly list = element('ul');
  private readonly fixAll: HTMLButtonElement;
  private fixAllAction: CodeAction | undefined;

  constructor(private readonly events: ProblemEvents) {
    const header = element('header');
    this.fixAll = textButton('Fix all', () => {
      if (this.fixAllAction !== undefined) {
        events.make(this.fixAllAction);
      }
    });
    this.fixAll.hidden = true;
    this.fixAll.title = 'Makes all fixes that change nothing that was said';
    header.append(this.heading, this.fixAll);
    this.element.setAttribute('aria-label', 'Problems');
    this.element.append(header, this.list);
  }

  update(problems: readonly Diagnostic[]): void {
    const focused = this.list.contains(document.activeElement);
    this.heading.textContent = problems.length === 0 ? 'No problems' : plural(problems.length, 'problem');
    this.element.classList.toggle('none', problems.length === 0);
    this.list.replaceChildren(...problems.slice(0, SHOWN).map((problem) => this.row(problem)));
    if (problems.length > SHOWN) {
      this.list.append(textElement('li', `${problems.length - SHOWN} more, which come into the list when these are fixed`, 'quiet'));
    }
    if (focused) {
      this.list.querySelector('button')?.focus();
    }
  }

  /** Nothing is known yet. */
  wait(): void {
    this.update([]);
    this.heading.textContent = 'Checking…';
  }

  offerFixAll(action: CodeAction | undefined): void {
    this.fixAllAction = action;
    this.fixAll.hidden = action === undefined;
  }

  private row(problem: Diagnostic): HTMLElement {
    const severity = severityOf(problem);
    const row = element('li', severity);
    const go = button('problem', () => {
      this.events.reveal(problem);
      void this.showFixes(row, problem);
    });
    const sign = textElement('span', SIGNS[severity], 'sign');
    sign.setAttribute('aria-hidden', 'true');
    const message = element('span', 'message');
    message.append(...withCode(wordsOf(problem)));
    go.append(
      sign,
      textElement('span', `${NAMES[severity]}: `, 'hidden-words'),
      message,
      ' ',
      textElement('span', `line ${problem.range.start.line + 1}`, 'quiet line'),
    );
    row.append(go);
    return row;
  }

  private async showFixes(row: HTMLElement, problem: Diagnostic): Promise<void> {
    if (row.querySelector('.fixes') === null) {
      row.append(await fixButtons(this.events, problem));
    }
  }
}

/** A button for each fix of a problem. */
export async function fixButtons({ fixes, make }: Pick<ProblemEvents, 'fixes' | 'make'>, problem: Diagnostic): Promise<HTMLElement> {
  const box = element('div', 'fixes');
  const found = await fixes(problem).catch(() => []);
  for (const action of found) {
    const made = button('button small', () => { make(action); });
    made.append(...withCode(action.title));
    box.append(made);
  }
  if (found.length === 0) {
    box.append(textElement('span', 'No fix is known: this needs your decision.', 'quiet'));
  }
  return box;
}
