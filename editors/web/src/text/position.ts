/** The start of a document. */
import type { Position } from 'vscode-languageserver-protocol';

export const START: Position = { line: 0, character: 0 };
