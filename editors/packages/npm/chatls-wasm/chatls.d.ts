export type ConversationForm =
  | 'openai' | 'anthropic' | 'ai-sdk' | 'responses' | 'sharegpt' | 'finetune'
  | 'fence' | 'marker' | 'tag' | 'hermes' | 'gptel';

/** From 0; characters are UTF-16 code units. */
export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }
export interface TextEdit { range: Range; newText: string }
/** Without a range, the whole text is replaced. */
export interface Change { range?: Range; text: string }

/** LSP 3.17. */
export interface Diagnostic {
  range: Range;
  /** 1 error, 2 warning, 3 information, 4 hint */
  severity: 1 | 2 | 3 | 4;
  /** Such as `invalid-json`. */
  code?: string;
  source: 'chatls';
  message: string;
}

export interface Fix { title: string; isPreferred: boolean; edits: TextEdit[] }

export type Status = 'pending' | 'done' | 'failed';

export interface TextItem { kind: 'text'; text: string; range: Range }
export interface ToolEntry {
  toolName: string;
  call: string;
  status: Status;
  result: string;
  inline: boolean;
  more: string | null;
  changes?: string;
  range: Range;
}
export interface ToolsItem {
  kind: 'tools';
  label: string;
  range: Range;
  failed: number;
  pending: number;
  entries: ToolEntry[];
}
export interface Message {
  role: 'user' | 'assistant' | 'system' | 'other' | null;
  name: string | null;
  range: Range;
  items: (TextItem | ToolsItem)[];
}

/** A tool call with its result, as `chatls calls` prints it. Lines count from 1. */
export interface CallRecord {
  file: string;
  dialect: string;
  kind: 'call' | 'result' | 'both';
  toolCallId?: string;
  toolName?: string;
  state?: string;
  input?: unknown;
  arguments?: string;
  output?: unknown;
  errorText?: string;
  extra?: Record<string, unknown>;
  truncated?: true;
  batch?: number;
  conversation?: number;
  turn?: number;
  line: number;
  endLine: number;
  generatedId?: true;
}

export interface Repair {
  /** The kinds of changes, each with the lines that it concerns, from 0. */
  changes: { title: string; count: number; lines: number[] }[];
  /** In words. */
  outcome: string;
  edits: TextEdit[];
}
export interface Conversation {
  languageId: 'markdown' | 'json' | 'jsonl';
  text: string;
  /** In words; empty if nothing is lost. */
  losses: string;
}
export interface Redacted {
  name: string;
  text: string;
  /** Such as `1 secret, 2 user names`. */
  counts: string;
  /** What stays as a name or an id, in words. */
  left: string | null;
}

export class ChatlsError extends Error {
  readonly name: 'ChatlsError';
  /** Of JSON-RPC or LSP. */
  readonly code: number;
}

export class Chatls {
  static load(wasm: BufferSource | Response | WebAssembly.Module): Promise<Chatls>;
  static start(wasm: BufferSource | Response | WebAssembly.Module, params?: object): Promise<Chatls>;
  readonly capabilities: Record<string, unknown>;
  send(message: object | string): object[];
  request(method: string, params?: object): unknown;
  notify(method: string, params?: object): void;
  open(text: string, options?: { name?: string; languageId?: string }): ChatDocument;
}

export class ChatDocument {
  private constructor();
  readonly uri: string;
  request(method: string, params?: object): unknown;
  edit(changes: Change[]): void;
  close(): void;
  diagnostics(): Diagnostic[];
  fixes(diagnostic: Diagnostic): Fix[];
  view(): Message[];
  calls(): CallRecord[];
  statistics(): Record<string, unknown>;
  repair(only?: string[]): Repair;
  convert(to: ConversationForm): Conversation;
  redact(): Redacted;
  export(format: 'html' | 'markdown', options?: { redact?: boolean }): string;
}
