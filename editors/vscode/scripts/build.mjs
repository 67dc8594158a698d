// node scripts/build.mjs [--watch|--development]: bundles src/extension.ts into dist/extension.js, and the
// preview's page into dist/preview.js and dist/preview.css.
// Without a flag it is minified and has no source map, as it is shipped.
import { build, context } from 'esbuild';

const forDevelopment = process.argv.includes('--watch') || process.argv.includes('--development');

/** @type {import('esbuild').BuildOptions} */
const common = {
  outdir: 'dist',
  bundle: true,
  minify: !forDevelopment,
  sourcemap: forDevelopment ? 'linked' : false,
  legalComments: 'none',
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

for (const options of bundles) {
  if (process.argv.includes('--watch')) {
    await (await context(options)).watch();
  } else {
    await build(options);
  }
}
