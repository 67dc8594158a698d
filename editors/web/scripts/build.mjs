// node scripts/build.mjs ENGINE OUT: bundles the page, its worker, the preview and the engine into one
// HTML file.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { licencesOf } from '../../vscode/scripts/licences.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const vscode = path.join(root, '../vscode');
// The extension and the page are built by the same tools.
const { build } = createRequire(path.join(vscode, 'package.json'))('esbuild');

const [engine, out] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(path.join(vscode, 'package.json'), 'utf8'));
const inputs = [];

const preview = await bundle(path.join(vscode, 'media/preview/main.ts'));
const shim = await bundle(path.join(root, 'src/chat/frame.ts'));
const frameScript = inline(`${shim}${preview}`, 'script');
const frameStyle = inline((await bundle(path.join(root, 'src/chat/frame.css'))), 'style');
const worker = await bundle(path.join(root, 'src/engine/worker.ts'));
const main = inline(await bundle(path.join(root, 'src/main.ts'), { WORKER: worker, FRAME_SCRIPT: frameScript, FRAME_STYLE: frameStyle, VERSION: version }), 'script');
const style = inline(await bundle(path.join(root, 'src/styles/page.css')), 'style');

// There is no connect-src: the browser itself refuses each request.
const policy = [
  `default-src 'none'`,
  `script-src ${[main, frameScript].map(hash).join(' ')} 'wasm-unsafe-eval'`,
  `style-src 'unsafe-inline'`,
  `img-src data:`,
  `worker-src blob:`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

const icon = readFileSync(path.join(vscode, 'icons/chatls.svg'), 'utf8').replace(/\n\s*/g, '');
const parts = {
  policy,
  icon,
  iconAddress: `data:image/svg+xml,${encodeURIComponent(icon)}`,
  style,
  main,
  engine: gzipSync(readFileSync(engine), { level: 9 }).toString('base64'),
  licences: [...licencesOf(inputs, root).values()].join('\n').replaceAll('-->', '--&gt;'),
};
const template = readFileSync(path.join(root, 'src/page.html'), 'utf8');
const page = template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1e6).toFixed(2)} MB`);

/** Bundles one module; `define`: constants in it. */
async function bundle(entry, define = {}) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    format: 'iife',
    target: ['chrome122', 'firefox128', 'safari17.4'],
    loader: { '.jsonl': 'text' },
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    absWorkingDir: root,
  });
  inputs.push(...Object.keys(metafile.inputs));
  return outputFiles[0].text;
}

/** The text of an element: nothing in it ends the element. */
function inline(text, element) {
  return text.trim().replaceAll(`</${element}`, `<\\/${element}`).replaceAll('<!--', '<\\!--');
}

function hash(script) {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}
