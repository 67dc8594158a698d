/** The languages whose documents can be transcripts. */
import type { TextDocument } from 'vscode';

/** Markdown, `*.chat.md` with a language of its own, and stream logs. */
export const LANGUAGES: readonly string[] = ['markdown', 'chat-markdown', 'jsonl', 'ndjson', 'sse'];

/** Of the read-only documents that show the events of others. */
export const EVENTS_SCHEME = 'chatls-events';

/** Whether the server is asked about a document; most of these are ordinary texts. */
export function isTranscript(document: TextDocument): boolean {
  return LANGUAGES.includes(document.languageId) && document.uri.scheme !== EVENTS_SCHEME;
}

/** Whether its name or its language alone makes a document a transcript. */
export function isNamedTranscript(document: TextDocument): boolean {
  return isTranscript(document) && (document.languageId === 'chat-markdown' || /\.chat\.(?:md|markdown)$/i.test(document.fileName));
}
