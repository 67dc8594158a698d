/** Markdown of messages as HTML: nothing in it runs, and nothing is fetched from the network. */
import MarkdownIt, { type Env } from 'markdown-it';
import { escape } from './html';
import { dropComments } from './comments';
import { highlighted } from './highlight';

export interface Surroundings extends Env {
  /** The base of relative URIs of images. */
  base: string;
}

const safeScheme = /^(?:https?|mailto):/i;
const anyScheme = /^[a-z][a-z0-9+.-]*:/i;
const drawnData = /^data:image\/(?:png|gif|jpeg|webp);/i;

const markdown = new MarkdownIt({ html: false, linkify: true, highlight: (code, language) => highlighted(code, language) ?? '' });
markdown.use(dropComments);
markdown.validateLink = (address) => {
  const trimmed = address.trim();
  return !anyScheme.test(trimmed) || safeScheme.test(trimmed) || drawnData.test(trimmed);
};
// Names of files, such as README.md, are no addresses of web sites.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

markdown.core.ruler.push('lines', (state) => {
  for (const token of state.tokens) {
    if (token.map && token.nesting >= 0 && token.type !== 'inline') {
      token.attrSet('data-line', String(token.map[0]));
    }
  }
});

// Each block has the direction of its own text, code is left to right. `dir="auto"` skips elements
// with a direction of their own, so what a block contains gets none.
markdown.core.ruler.push('direction', (state) => {
  for (const token of state.tokens) {
    if (token.type === 'fence' || token.type === 'code_block') {
      token.attrSet('dir', 'ltr');
    } else if (token.level === 0 && token.nesting === 1) {
      token.attrSet('dir', 'auto');
    }
    for (const child of token.children ?? []) {
      if (child.type === 'code_inline') {
        child.attrSet('dir', 'ltr');
      }
    }
  }
});

// A remote image would reveal the reader to its server, so it is shown as a link.
markdown.renderer.rules.image = (tokens, index, _options, env) => {
  const token = tokens[index];
  const address = String(token?.attrGet('src') ?? '');
  const alt = escape(token?.content ?? '');
  if (safeScheme.test(address)) {
    return `<a class="image" href="${escape(address)}">🖼 ${alt === '' ? escape(address) : alt}</a>`;
  }
  const source = anyScheme.test(address) ? address : `${String(env?.base)}/${address}`;
  return `<img src="${escape(source)}" alt="${alt}">`;
};

/** The HTML of a message's text. Blocks of it say in `data-line` on which of its lines they begin. */
export function renderMarkdown(text: string, surroundings: Surroundings): string {
  return markdown.render(text, surroundings);
}
