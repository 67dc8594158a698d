// The server's processes, found below the editor's own: others of the same name are left alone.
import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of `chatls serve` below the process `root`. */
export function serverProcesses(root) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap(processOf);
  const below = new Set([root]);
  for (let grown = true; grown;) {
    const more = all.filter(({ pid, parent }) => below.has(parent) && !below.has(pid));
    more.forEach(({ pid }) => below.add(pid));
    grown = more.length > 0;
  }
  return all.filter(({ pid, command }) => below.has(pid) && /\/chatls\0serve/.test(command)).map(({ pid }) => pid);
}

function processOf(name) {
  try {
    const status = readFileSync(`/proc/${name}/stat`, 'utf8');
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
  } catch {
    return []; // it has ended meanwhile
  }
}
