// node scripts/build.mjs [--watch|--development]: bundles src/extension.ts into dist/extension.js, and the
// preview's page into dist/preview.js and dist/preview.css; the same extension for browsers, and the worker
// of its server, into dist/web; the licences of the packages in them are in
// dist/licences.txt.
// Without a flag it is minified and has no source map, as it is shipped.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, context } from 'esbuild';
import { licencesOf } from './licences.mjs';

const forDevelopment = process.argv.includes('--watch') || process.argv.includes('--development');

/** @type {import('esbuild').BuildOptions} */
const common = {
  outdir: 'dist',
  bundle: true,
  minify: !forDevelopment,
  sourcemap: forDevelopment ? 'linked' : false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'info',
};

/** What only a machine has is replaced in browsers. @type {import('esbuild').Plugin} */
const inBrowsers = {
  name: 'in browsers',
  setup: (build) => {
    build.onResolve({ filter: /\/platform$/ }, () => ({ path: path.resolve('web/platform.ts') }));
  },
};

/** @type {import('esbuild').BuildOptions[]} Targets are what VS Code 1.91 runs extensions and pages with. */
const bundles = [
  {
    ...common,
    entryPoints: ['src/extension.ts'],
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    ...common,
    entryPoints: [{ in: 'src/extension.ts', out: 'web/extension' }],
    platform: 'browser',
    target: 'chrome122',
    format: 'cjs',
    external: ['vscode'],
    alias: { 'vscode-languageclient/node': 'vscode-languageclient/browser' },
    plugins: [inBrowsers],
  },
  { ...common, entryPoints: [{ in: 'web/worker.ts', out: 'web/worker' }], platform: 'browser', target: 'chrome122', format: 'iife' },
  {
    ...common,
    entryPoints: ['main.ts', 'preview.css'].map((name) => ({ in: `media/preview/${name}`, out: 'preview' })),
    platform: 'browser',
    target: 'chrome122',
    format: 'iife',
  },
];

const inputs = [];
for (const options of bundles) {
  if (process.argv.includes('--watch')) {
    await (await context(options)).watch();
  } else {
    inputs.push(...Object.keys((await build(options)).metafile.inputs));
  }
}
const licences = licencesOf(inputs, '.');
if (licences.size > 0) {
  writeFileSync('dist/licences.txt', [...licences.values()].join(`\n${'-'.repeat(80)}\n\n`));
}
