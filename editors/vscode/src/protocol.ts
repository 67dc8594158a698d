/** The requests of chatls beyond LSP, typed. */
import type { Range } from 'vscode-languageserver-protocol';

/** The names of the requests, as announced by the server under `experimental.chatls`. */
export type Extension = 'toolUses' | 'transcript' | 'events' | 'export' | 'modelRequest' | 'compare' | 'sessions' | 'sessionText' | 'included' | 'conversation' | 'repair' | 'redact' | 'run';

export interface ModelRequest {
  version: number | null;
  /** The body, as JSON. */
  text: string;
  /** What it lacks, and what servers reject in it. */
  warnings: string[];
}

/** A conversation in another form. */
export interface Conversation {
  version: number | null;
  languageId: 'markdown' | 'json' | 'jsonl';
  text: string;
  /** `drops 1 id`; empty if there are none. */
  losses: string;
}

export type Status = 'pending' | 'done' | 'failed';

export interface ToolUse {
  toolName: string;
  /** `🔧 read_file(path=a.py) → 42 lines` */
  label: string;
  status: Status;
  dialect: string;
  range: Range;
  /** The tool's name, or its beginning. */
  selectionRange: Range;
  /** Its index in `batches`. */
  batch?: number;
}

export interface Batch {
  /** `🔧 3 tool calls · 1 failed` */
  label: string;
  range: Range;
  toolUses: number;
  failed: number;
  pending: number;
}

export interface ToolUses {
  version: number | null;
  /** False if `enable`, `include` or `exclude` disable the document. */
  enabled: boolean;
  /** False if the document is an ordinary text, for which the editor shows nothing. */
  isTranscript: boolean;
  /** Of the whole document, even if a part was requested. */
  counts: { toolUses: number; failed: number; pending: number; batches: number };
  toolUses: ToolUse[];
  batches: Batch[];
}

export interface TextItem {
  kind: 'text';
  /** Markdown. */
  text: string;
  range: Range;
}

export interface ToolEntry {
  toolName: string;
  /** `read_file(path=a.py)` */
  call: string;
  status: Status;
  /** Empty if there is none. */
  result: string;
  /** True if the result is shown after the call, as one line. */
  inline: boolean;
  /** `... (12 more lines)` */
  more: string | null;
  /** Of an edit: its lines behind `-`, `+` or a space. */
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
  /** Null for text before the first message. */
  role: 'user' | 'assistant' | 'system' | 'other' | null;
  name: string | null;
  range: Range;
  items: (TextItem | ToolsItem)[];
}

export interface Transcript {
  version: number | null;
  messages: Message[];
}

export interface Events {
  version: number | null;
  /** The records of the UI message stream. */
  events: Record<string, unknown>[];
}

export interface Exported {
  version: number | null;
  text: string;
}

/** A session of a coding agent on this machine. */
export interface Session {
  agent: string;
  id: string;
  path: string;
  title: string | null;
  folder: string | null;
  /** The time of the last change, in UTC. */
  changed: string;
  /** Null if it cannot be read. */
  calls: number | null;
  failed: number | null;
}

/** A call that was to run. */
export interface RunResult {
  toolName: string;
  status: 'written' | 'unchanged' | 'notWritten' | 'notRun' | 'refused' | 'cancelled';
  reason?: string;
  /** The result of a call that is `notWritten`. */
  text?: string;
}

/** The end of a continuation of a conversation. */
export interface Continued {
  end: 'answered' | 'allTurns' | 'cutOff' | 'cancelled' | 'failed';
  /** All that has come of an answer that is not written. */
  text?: string;
}

/** A call that runs. */
export interface RunItem {
  id: number;
  uri: string;
  /** The line of the call, from 0. */
  line: number;
  /** The tool. */
  title: string;
  server?: string;
  /** The progress that the server reports. */
  message?: string;
}

export type ToolServerState = 'unusable' | 'noConsent' | 'stopped' | 'starting' | 'running' | 'failed';

/** A server or program that runs tools. */
export interface ToolServer {
  name: string;
  kind: 'server' | 'program';
  /** The path of the configuration that names it. */
  file: string;
  state: ToolServerState;
  reason?: string;
  /** What it would start. */
  facts: string[];
  /** Of the consent; absent if it is unusable. */
  hash?: string;
  /** While it runs. */
  tools?: number;
  /** True if its tools are known. */
  isAsked: boolean;
  log: string;
}

type ComparedUse = Pick<ToolUse, 'toolName' | 'label' | 'range'>;

export interface Comparison {
  isSame: boolean;
  pairs: {
    left: ComparedUse;
    right: ComparedUse;
    differences: { path: string; left: string | null; right: string | null }[];
    moreDifferences: number;
  }[];
  onlyLeft: ComparedUse[];
  onlyRight: ComparedUse[];
  leftText: string;
  rightText: string;
}
