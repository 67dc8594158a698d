// node scripts/unit.mjs [FOLDER]: bundles the tests of FOLDER/unit and runs them with Node's own runner. Without
// FOLDER, those of the extension.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const out = mkdtempSync(path.join(tmpdir(), 'chatls-unit-'));
try {
  const entryPoints = readdirSync('unit').filter((name) => name.endsWith('.test.ts')).map((name) => `unit/${name}`);
  await build({
    entryPoints,
    outdir: out,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // The tested code only uses types of it.
    external: ['vscode', 'vscode-languageclient'],
    sourcemap: 'inline',
  });
  const files = readdirSync(out).map((name) => path.join(out, name));
  process.exitCode = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
