/** The languages whose documents can be transcripts. */
import type { TextDocument } from 'vscode';

/** Markdown, `*.chat.md` with a language of its own, and stream logs. */
export const LANGUAGES: readonly string[] = ['markdown', 'chat-markdown', 'jsonl', 'ndjson', 'sse'];

export function isTranscript(document: TextDocument): boolean {
  return LANGUAGES.includes(document.languageId);
}
