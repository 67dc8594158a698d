// node scripts/build.mjs [--watch|--development]: bundles src/extension.ts into dist/extension.js.
// Without a flag it is minified and has no source map, as it is shipped.
import { build, context } from 'esbuild';

const forDevelopment = process.argv.includes('--watch') || process.argv.includes('--development');

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  // What VS Code 1.91 runs extensions with.
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  minify: !forDevelopment,
  sourcemap: forDevelopment ? 'linked' : false,
  legalComments: 'none',
  logLevel: 'info',
};

if (process.argv.includes('--watch')) {
  await (await context(options)).watch();
} else {
  await build(options);
}
