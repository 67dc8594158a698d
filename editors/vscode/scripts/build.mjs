// node scripts/build.mjs [--watch|--development]: bundles src/extension.ts into dist/extension.js, and the
// preview's page into dist/preview.js and dist/preview.css; the licences of the packages in them are in
// dist/licences.txt.
// Without a flag it is minified and has no source map, as it is shipped.
import { writeFileSync } from 'node:fs';
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
