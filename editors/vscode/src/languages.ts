/** The languages of possible transcripts. */
import type { TextDocument, Uri } from 'vscode';

/** Markdown, `*.chat.md` with a language of its own, and stream logs. */
export const LANGUAGES: readonly string[] = ['markdown', 'chat-markdown', 'jsonl', 'ndjson', 'sse'];

/** The extensions of files in these languages. */
export const EXTENSIONS: readonly string[] = ['md', 'markdown', 'jsonl', 'ndjson', 'sse'];

/** The names of JSON documents with messages: other programs own most files of that language. */
export const JSON_NAMES: readonly string[] = ['chat.json', 'api_conversation_history.json', '*.chat.json', '*.messages.json', '*.traj.json', '*.trajectory.json'];
const JSON_NAME = new RegExp(`(?:^|[/\\\\])(?:${JSON_NAMES.map((name) => name.replaceAll('.', '\\.').replace('*', '.*')).join('|')})$`, 'i');

/** True if the name of a JSON document declares it as a log of messages. */
export function isJsonLog(path: string): boolean {
  return JSON_NAME.test(path);
}

/** The open documents in other languages that the server reads. */
const included = new Set<string>();

export function setIncluded(uri: Uri, isIncluded: boolean): void {
  included[isIncluded ? 'add' : 'delete'](uri.toString());
}

export function isIncluded(uri: Uri): boolean {
  return included.has(uri.toString());
}

/** The schemes of the read-only documents with events, with compared calls, and with repaired text. */
export const EVENTS_SCHEME = 'chatls-events';
export const COMPARE_SCHEME = 'chatls-compare';
export const REPAIR_SCHEME = 'chatls-repair';
const READ_ONLY: readonly string[] = [EVENTS_SCHEME, COMPARE_SCHEME, REPAIR_SCHEME];

/** True if the client's selector takes a document, by its language or its name. */
export function isSelected({ languageId, uri }: TextDocument): boolean {
  return LANGUAGES.includes(languageId) || (languageId === 'json' && isJsonLog(uri.path));
}

/** True if the server is used for a document; most of these are ordinary texts. */
export function isTranscript(document: TextDocument): boolean {
  return (isSelected(document) || isIncluded(document.uri)) && !READ_ONLY.includes(document.uri.scheme);
}

/** True for JSON, with comments or without: it has a formatter, and no place for new calls. */
export function isJson({ languageId }: TextDocument): boolean {
  return languageId === 'json' || languageId === 'jsonc';
}

/** True if its name or its language alone declares a document as a transcript. */
export function isNamedTranscript(document: TextDocument): boolean {
  return isTranscript(document) && (document.languageId === 'chat-markdown' || /\.chat\.(?:md|markdown)$/i.test(document.fileName));
}
