/** Colours of the text: Markdown or JSON, by the name of a document or the start of its text. */
import { json, jsonLanguage } from '@codemirror/lang-json';
import { defineLanguageFacet, HighlightStyle, Language, LanguageSupport, syntaxHighlighting } from '@codemirror/language';
import type { Extension, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { GFM, parseCode, parser } from '@lezer/markdown';

/** In characters: the longest text and line with colours, and the longest line that is wrapped. */
const LONGEST_TEXT = 8_000_000;
const LONGEST_LINE = 200_000;
const LONGEST_WRAPPED = 20_000;

const code = parseCode({ codeParser: (info) => (/^(?:json|jsonl|tool|ndjson)\b/.test(info) ? jsonLanguage.parser : null) });
const markdown = new LanguageSupport(new Language(defineLanguageFacet(), parser.configure([GFM, code]), [], 'markdown'));

const style = HighlightStyle.define([
  { tag: [tags.propertyName, tags.heading], color: 'var(--page-code-name)' },
  { tag: [tags.string, tags.monospace], color: 'var(--page-code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.labelName], color: 'var(--page-code-number)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction, tags.separator, tags.quote], color: 'var(--page-quiet)' },
  { tag: [tags.link, tags.url], color: 'var(--page-accent)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
]);

export function languageOf(name: string, text: Text): Extension {
  const longest = longestLine(text);
  const isColoured = text.length <= LONGEST_TEXT && longest <= LONGEST_LINE;
  return [
    longest <= LONGEST_WRAPPED ? EditorView.lineWrapping : [],
    isColoured ? [isData(name, text) ? json() : markdown, syntaxHighlighting(style)] : [],
  ];
}

/** True for JSON, and for logs of one record per line. */
function isData(name: string, text: Text): boolean {
  return /\.(?:jsonl?|ndjson|sse)$/i.test(name) || /^\s*(?:[[{]|data:|event:)/.test(text.sliceString(0, 200));
}

function longestLine(text: Text): number {
  let longest = 0;
  for (const line of text.iterLines()) {
    longest = Math.max(longest, line.length);
  }
  return longest;
}
