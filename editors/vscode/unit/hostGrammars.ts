/** Stand-ins for the editor's own grammars of Markdown and JSON: their structure, as far as ours build on it. */
import type { IRawGrammar } from 'vscode-textmate';

const MARKDOWN = {
  scopeName: 'text.html.markdown',
  patterns: [{ include: '#block' }],
  repository: {
    block: {
      patterns: [
        { begin: '(^|\\G)\\s*(<!--)', end: '-->', name: 'comment.block.html' },
        { begin: '(^|\\G)[ ]{0,3}(>) ?', while: '(^|\\G)\\s*(>) ?', name: 'markup.quote.markdown', patterns: [{ include: '#block' }] },
        {
          begin: '(^|\\G)([ ]{0,3})([*+-])([ \\t])',
          while: '((^|\\G)([ ]{2,4}|\\t))|(^[ \\t]*$)',
          name: 'markup.list.unnumbered.markdown',
          patterns: [{ include: '#block' }],
        },
        { begin: '(^|\\G)(\\s*)(`{3,}|~{3,}).*$', end: '(^|\\G)(\\2|\\s{0,3})(\\3)\\s*$', name: 'markup.fenced_code.block.markdown' },
        { begin: '(^|\\G)([ ]{4}|\\t)', while: '(^|\\G)([ ]{4}|\\t)', name: 'markup.raw.block.markdown' },
        {
          begin: '(^|\\G)[ ]{0,3}(?=[^ \\t\\n])',
          while: '(^|\\G)((?=\\s*[-=]{3,}\\s*$)|[ ]{4,}(?=[^ \\t\\n]))',
          name: 'meta.paragraph.markdown',
          patterns: [{ include: '#inline' }],
        },
      ],
    },
    inline: {
      patterns: [
        { match: '`[^`]*`', name: 'markup.inline.raw.string.markdown' },
        { match: '\\*\\*[^*]*\\*\\*', name: 'markup.bold.markdown' },
      ],
    },
  },
};

const JSON_GRAMMAR = {
  scopeName: 'source.json',
  patterns: [{ include: '#value' }],
  repository: {
    comments: { match: '//.*$', name: 'comment.line' },
    objectkey: { begin: '"', end: '"', name: 'support.type.property-name.json' },
    value: {
      patterns: [
        { match: '\\b(?:true|false|null)\\b', name: 'constant.language.json' },
        { match: '-?\\d+', name: 'constant.numeric.json' },
        { begin: '"', end: '"', name: 'string.quoted.double.json' },
        { begin: '\\[', end: '\\]', patterns: [{ include: '#value' }] },
        {
          begin: '\\{',
          end: '\\}',
          patterns: [{ include: '#objectkey' }, { begin: ':', end: '(,)|(?=\\})', patterns: [{ include: '#value' }] }],
        },
      ],
    },
  },
};

export const HOSTS = [MARKDOWN, JSON_GRAMMAR] as unknown as IRawGrammar[];
