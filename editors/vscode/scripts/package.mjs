// node scripts/package.mjs [--target PLATFORM --server PATH] [--out FILE]       `web`: its server is chatls.wasm
// Packs the extension into one .vsix: with the server inside for one platform, or without it for all of them.
// Without --out it is put beside package.json. Says how large it is.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const asked = process.cwd();
process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const targets = ['linux-x64', 'linux-arm64', 'linux-armhf', 'alpine-x64', 'alpine-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64', 'web'];

const { values } = parseArgs({
  options: { target: { type: 'string' }, server: { type: 'string' }, out: { type: 'string' } },
});
if ((values.target === undefined) !== (values.server === undefined)) {
  fail('--target and --server go together: the server inside is for one platform');
}
if (values.target !== undefined && !targets.includes(values.target)) {
  fail(`unknown target ${values.target}: one of ${targets.join(', ')}`);
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const out = values.out
  ? path.resolve(asked, values.out)
  : path.resolve(`chatls-${version}${values.target ? `-${values.target}` : ''}.vsix`);

try {
  rmSync('server', { recursive: true, force: true });
  rmSync('dist', { recursive: true, force: true });
  if (values.server !== undefined) {
    putServer(path.resolve(asked, values.server), values.target);
  }
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const target = values.target ? ['--target', values.target] : [];
  const vsce = ['node_modules/@vscode/vsce/vsce', 'package', '--no-dependencies', '--out', out, ...target];
  execFileSync(process.execPath, vsce, { stdio: ['ignore', 'ignore', 'inherit'] });
} finally {
  rmSync('server', { recursive: true, force: true });
}
console.log(`${out}: ${(statSync(out).size / 1e6).toFixed(2)} MB`);

/** Copies the server to where the extension looks for it. */
function putServer(from, target) {
  const to = target === 'web' ? 'dist/web/chatls.wasm' : path.join('server', target.startsWith('win32') ? 'chatls.exe' : 'chatls');
  mkdirSync(path.dirname(to), { recursive: true });
  try {
    copyFileSync(from, to);
  } catch (error) {
    fail(`no server at ${from}: ${error.message}`);
  }
  chmodSync(to, 0o755);
}

function fail(message) {
  console.error(`package: ${message}`);
  process.exit(2);
}
