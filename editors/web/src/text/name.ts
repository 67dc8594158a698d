/** The names of texts that were pasted. */

/** By the beginning of the text: the server detects what exactly it is. */
export function nameOf(text: string): string {
  const start = text.trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    const line = start.slice(0, start.indexOf('\n') + 1 || undefined);
    return isJson(line) && line.length < start.trimEnd().length ? 'pasted.jsonl' : 'pasted.json';
  }
  return /^(?:data|event|id):/.test(start) ? 'pasted.sse' : 'pasted.md';
}

/** A name that no other document has: with a number if it needs one. */
export function distinct(name: string, others: readonly string[]): string {
  const [, start = name, end = ''] = /^(.*?)((?:\.chat)?\.[^.]*)$/.exec(name) ?? [];
  let distinctName = name;
  for (let number = 2; others.includes(distinctName); number++) {
    distinctName = `${start}-${number}${end}`;
  }
  return distinctName;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
