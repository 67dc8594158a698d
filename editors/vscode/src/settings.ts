/** What the server is told of the editor's settings: what somebody set, and nothing else. */

/** The settings that are the extension's own. */
export const OWN_SETTINGS = ['path', 'logLevel', 'trace', 'editor', 'preview'] as const;

/** A setting's values by where they were set, as `inspect` gives them. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

type Values = Record<string, unknown>;

/**
 * The settings under `chatls` for the server. The defaults of the editor are left out: they would win over those of a
 * `chatls.toml`.
 */
export function settingsForServer(inspected: Inspected | undefined): Values {
  const levels = [inspected?.globalValue, inspected?.workspaceValue, inspected?.workspaceFolderValue];
  const merged = levels.reduce<Values>((below, level) => (isObject(level) ? merge(below, level) : below), {});
  return prune(Object.fromEntries(Object.entries(merged).filter(([key]) => !isOwn(key))));
}

function isOwn(key: string): boolean {
  return (OWN_SETTINGS as readonly string[]).includes(key);
}

/** `above` over `below`, object by object; all other values whole. */
function merge(below: Values, above: Values): Values {
  const merged = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value;
  }
  return merged;
}

/** Without nulls and the objects that hold nothing else. */
function prune(values: Values): Values {
  const pruned: Values = {};
  for (const [key, value] of Object.entries(values)) {
    const kept = isObject(value) ? prune(value) : value;
    if (kept !== null && kept !== undefined && !(isObject(kept) && Object.keys(kept).length === 0)) {
      pruned[key] = kept;
    }
  }
  return pruned;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
