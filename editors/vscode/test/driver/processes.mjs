// The server's processes, found below the editor's own: others of the same name are left alone.
import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of `chatls serve` below the process `root`. */
export function serverProcesses(root) {
  return below(root).filter(({ command }) => /\/chatls\0serve/.test(command)).map(({ pid }) => pid);
}

/** The process `root` and all that it has started, each with its command line. */
export function below(root) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap(processOf);
  const found = new Set([root]);
  for (let grown = true; grown;) {
    const more = all.filter(({ pid, parent }) => found.has(parent) && !found.has(pid));
    more.forEach(({ pid }) => found.add(pid));
    grown = more.length > 0;
  }
  return all.filter(({ pid }) => found.has(pid));
}

/** Seconds that a process has worked. */
export function cpuOf(pid) {
  return cpuIn(`/proc/${pid}/stat`);
}

/** Seconds that those of its threads have worked that have this name. */
export function cpuOfThreads(pid, name) {
  const stats = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  const named = stats.filter((folder) => nameIn(folder) === name);
  return named.reduce((sum, folder) => sum + cpuIn(`${folder}/stat`), 0);
}

function nameIn(folder) {
  try {
    return readFileSync(`${folder}/comm`, 'utf8').trim();
  } catch {
    return ''; // it has ended meanwhile
  }
}

function cpuIn(file) {
  try {
    const status = readFileSync(file, 'utf8');
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    // The fields utime and stime, in hundredths of a second on every Linux.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0; // it has ended meanwhile
  }
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
