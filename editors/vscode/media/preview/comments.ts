/** A rule for markdown-it: HTML comments, such as those that suppress a diagnostic, are not drawn. */
import type { MarkdownIt } from 'markdown-it';

export function dropComments(markdown: MarkdownIt): void {
  markdown.block.ruler.before('paragraph', 'comment', (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    if (!state.src.startsWith('<!--', start)) {
      return false;
    }
    for (let line = startLine; line < endLine; line++) {
      const end = state.eMarks[line] ?? 0;
      const close = state.src.slice(start, end).indexOf('-->', 4);
      if (close >= 0) {
        // Text behind the comment makes it part of a paragraph.
        if (state.src.slice(start + close + 3, end).trim() !== '') {
          return false;
        }
        if (!silent) {
          state.line = line + 1;
        }
        return true;
      }
    }
    return false;
  }, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });

  markdown.inline.ruler.before('link', 'comment', (state, silent) => {
    if (!state.src.startsWith('<!--', state.pos)) {
      return false;
    }
    const close = state.src.indexOf('-->', state.pos + 4);
    if (close < 0) {
      return false;
    }
    if (!silent) {
      // A token of no text keeps the words on both sides apart from each other.
      state.push('text', '', 0);
    }
    state.pos = close + 3;
    return true;
  });
}
