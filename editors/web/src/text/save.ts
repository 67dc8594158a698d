/** Files that the page gives to the user. */

export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => { URL.revokeObjectURL(address); }, 60_000);
}

/** `session.jsonl` with `.html` is `session.html`; with the suffix `-a`, `session-a.html`. */
export function renamed(name: string, extension: string, suffix = ''): string {
  return name.replace(/(?:\.chat)?\.[^.]*$/, '') + suffix + extension;
}

/** With the dot; empty if there is none. */
export function extensionOf(name: string): string {
  return /(?:\.chat)?\.[^.]+$/.exec(name)?.[0] ?? '';
}

/** `12.3 MB` */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? size.toFixed(0) : size.toFixed(1)} ${units[unit] ?? ''}`;
}
