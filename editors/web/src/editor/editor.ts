/** The editor: one view, which shows one document after the other. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldKeymap } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import type { Position, Range } from 'vscode-languageserver-protocol';
import type { Client } from '../lsp/client';
import type { OpenDocument } from '../lsp/documents';
import { placeOf, positionOf } from './edits';
import { folding } from './folding';
import { languageOf } from './language';
import { theme } from './theme';

export interface EditorEvents {
  changed(): void;
  /** The user moved the cursor. */
  moved(position: Position): void;
  /** Other lines are visible. */
  scrolled(): void;
}

export class Editor {
  readonly view: EditorView;
  private shown: OpenDocument | undefined;

  constructor(parent: HTMLElement, private readonly events: EditorEvents) {
    this.view = new EditorView({ parent });
    // Its content is what Tab reaches.
    this.view.scrollDOM.tabIndex = -1;
  }

  /** Shows a document, where it was left. */
  show(document: OpenDocument, client: Client): void {
    const state = document.state ?? this.stateOf(document, client);
    this.leave(client);
    this.shown = document;
    this.view.setState(state);
  }

  /** Keeps the state of the shown document for later. */
  leave(client: Client): void {
    if (this.shown !== undefined && client.documents.files.includes(this.shown)) {
      client.lsp.sync();
      this.shown.state = this.view.state;
    }
    this.shown = undefined;
  }

  clear(): void {
    this.shown = undefined;
    this.view.setState(EditorState.create());
  }

  /** Puts the cursor on a range of the server's text. */
  reveal(range: Range): void {
    const { from, to } = placeOf(this.view, range);
    const end = Math.min(to, this.view.state.doc.lineAt(from).to);
    this.view.dispatch({
      selection: { anchor: from, head: end },
      effects: EditorView.scrollIntoView(from, { y: 'center', x: 'nearest', xMargin: 60 }),
    });
    this.view.focus();
  }

  /** Keeps the cursor visible, after the editor became smaller. */
  keepCursor(): void {
    if (this.view.hasFocus) {
      this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) });
    }
  }

  /** The visible lines. */
  visible(): Range {
    const { from, to } = this.view.viewport;
    const { doc } = this.view.state;
    return { start: positionOf(doc, from), end: positionOf(doc, to) };
  }

  private stateOf(document: OpenDocument, client: Client): EditorState {
    return EditorState.create({ doc: document.doc, extensions: [this.extensions(document), client.lsp.plugin(document.uri, document.languageId)] });
  }

  private extensions({ name, doc }: OpenDocument): Extension {
    return [
      lineNumbers(),
      lintGutter(),
      folding,
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      bracketMatching(),
      highlightSelectionMatches({ maxMatches: 50 }),
      search({ top: true }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
      languageOf(name, doc),
      theme,
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${name}`, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          this.events.changed();
        } else if (update.viewportChanged) {
          this.events.scrolled();
        }
        if (update.selectionSet && update.transactions.some((transaction) => transaction.isUserEvent('select'))) {
          this.events.moved(positionOf(update.state.doc, update.state.selection.main.head));
        }
      }),
    ];
  }
}
