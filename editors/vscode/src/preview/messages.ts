/** What the extension and the preview's page say to each other. */
import type { Position, Range } from 'vscode-languageserver-protocol';
import type { Change } from './changes';

/** Why there is no transcript to draw. */
export type Notice =
  | { kind: 'starting' }
  /** `reason` may be empty. */
  | { kind: 'stopped'; reason: string }
  | { kind: 'outdated' }
  | { kind: 'unreadable'; reason: string };

export type ToPage =
  | {
      type: 'transcript';
      /** Since the transcript before; in a new page, and of another document, since an empty one. */
      change: Change;
      /** The document's address, and whether the preview stays with it: both are kept for the next start. */
      uri: string;
      locked: boolean;
      /** Where relative addresses of images lead. */
      base: string;
    }
  | { type: 'notice'; notice: Notice }
  /** Where what the editor shows begins. */
  | { type: 'scroll'; position: Position }
  | { type: 'cursor'; position: Position };

export type FromPage =
  | { type: 'ready' }
  | { type: 'reveal'; range: Range }
  /** The user scrolled the page: the line at its top. */
  | { type: 'scrolled'; line: number }
  | { type: 'open'; href: string }
  | { type: 'command'; command: 'restart' | 'showLogs' };

/** What the page remembers while it is hidden, and over a restart of the editor. */
export interface PageState {
  uri: string;
  locked: boolean;
  /** The open blocks, by their place among all blocks. */
  open: number[];
  scroll: number;
}
