/** A document in the fragment of an address, which browsers send to no server. */

export interface Linked {
  name: string;
  text: string;
}

/** The longest fragment: more is cut by programs that people send links with. */
export const LONGEST_LINK = 30_000;

const KEY = '#t=';

export async function fragmentOf(document: Linked): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([document.name, document.text]));
  const compressed = await through(bytes, new CompressionStream('deflate-raw'));
  const written = btoa(Array.from(compressed, (byte) => String.fromCharCode(byte)).join(''));
  return KEY + written.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The document in a fragment; nothing if there is none, or if it is cut. */
export async function documentOf(fragment: string): Promise<Linked | undefined> {
  if (!fragment.startsWith(KEY)) {
    return undefined;
  }
  try {
    const written = atob(fragment.slice(KEY.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(written, (character) => character.charCodeAt(0));
    const read = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))) as unknown;
    if (!Array.isArray(read)) {
      return undefined;
    }
    const [name, text] = read as unknown[];
    return typeof name === 'string' && typeof text === 'string' ? { name, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Not by a response, of which Firefox reports that it is cut. */
async function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
