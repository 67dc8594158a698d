/** The URIs of documents, for a server that knows files alone: `vscode-vfs://github/a.md` is `file:///vscode-vfs@github/a.md`. */
import type { Uri } from 'vscode';

const OTHER = /^file:\/\/\/([a-z][\w+.-]*)(?:@|%40)([^/]*)/i;

export function toServer(uri: Pick<Uri, 'scheme' | 'authority' | 'path' | 'toString'>): string {
  const { scheme, authority, path } = uri;
  if (scheme === 'file' || scheme === 'untitled') {
    return uri.toString();
  }
  return `file:///${scheme}@${encodeURIComponent(authority)}${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function fromServer(uri: string): string {
  return uri.replace(OTHER, (_, scheme: string, authority: string) => `${scheme}://${decodeURIComponent(authority)}`);
}

/** The URI decoded, for comparisons: the server and VS Code encode different characters. */
export function keyOf(uri: string): string {
  return decodeURIComponent(uri);
}
