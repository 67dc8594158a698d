/** Reads a text in pieces, so that the page can draw meanwhile. */
import { Text } from '@codemirror/state';

export interface Loaded {
  text: Text;
  source: Blob;
  /** As in the source, if all of its lines end so. */
  lineBreak: '\n' | '\r\n';
}

/** Bytes that are read at once. */
const PIECE = 1 << 20;

/**
 * Reads all of `source`. `progress` gets the number of bytes read so far; `isWanted` ends it early if
 * it is false.
 */
export async function load(source: Blob, progress: (bytes: number) => void, isWanted = (): boolean => true): Promise<Loaded> {
  const decoder = new TextDecoder();
  let text = Text.empty;
  let breaks = 0;
  let rest = '';
  for (let at = 0; at < source.size && isWanted(); at += PIECE) {
    const bytes = await source.slice(at, at + PIECE).arrayBuffer();
    const isLast = at + PIECE >= source.size;
    const piece = rest + decoder.decode(bytes, { stream: !isLast });
    // A line break of two characters may be cut in the middle.
    rest = piece.endsWith('\r') && !isLast ? '\r' : '';
    const whole = rest === '' ? piece : piece.slice(0, -1);
    breaks += whole.split('\r\n').length - 1;
    text = text.append(Text.of(whole.split(/\r\n?|\n/)));
    progress(Math.min(at + PIECE, source.size));
  }
  return { text, source, lineBreak: breaks > 0 && breaks === text.lines - 1 ? '\r\n' : '\n' };
}

/** A text as if it were read from a file. */
export async function loadText(text: string): Promise<Loaded> {
  return load(new Blob([text]), () => undefined);
}
