// Tests that docs/events.md shows the files that are tested. Called by run.sh:
//
//   node docs.mjs PAGE FILE…
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [page, ...files] = process.argv.slice(2);
const shown = readFileSync(page, 'utf8');
for (const file of files) {
  const block = `\n\`\`\`${path.extname(file).slice(1).replace('mjs', 'js')}\n${readFileSync(file, 'utf8')}\`\`\`\n`;
  const is = shown.includes(block);
  console.log(`${is ? 'ok' : 'FAILED'}: ${path.basename(page)} shows ${path.basename(file)}${is ? '' : ' as it is not'}`);
  if (!is) process.exitCode = 1;
}
