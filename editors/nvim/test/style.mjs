// Formats the plugin's Lua with StyLua, whose folder $STYLUA names, or says what is not in its form.
//
// node style.mjs [--write], in the folder of the plugin.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const stylua = createRequire(import.meta.url)(process.env.STYLUA);

// A new one for each file: StyLua takes it away.
function form() {
  const config = stylua.Config.new();
  config.column_width = 120;
  config.indent_type = stylua.IndentType.Spaces;
  config.indent_width = 2;
  config.quote_style = stylua.QuoteStyle.AutoPreferSingle;
  config.collapse_simple_statement = stylua.CollapseSimpleStatement.Always;
  return config;
}

const write = process.argv.includes('--write');
const files = readdirSync('.', { recursive: true }).filter((name) => name.endsWith('.lua'));
let wrong = 0;
for (const name of files.sort()) {
  const is = readFileSync(name, 'utf8');
  const should = stylua.formatCode(is, form(), undefined, stylua.OutputVerification.Full);
  if (is === should) continue;
  if (write) {
    writeFileSync(name, should);
  } else {
    const lines = should.split('\n');
    const line = is.split('\n').findIndex((text, at) => text !== lines[at]);
    console.error(`${name}:${line + 1}: not as StyLua writes it; ${join('test', 'lint.sh')} --write does`);
    wrong += 1;
  }
}
console.log(`${files.length} Lua files, ${wrong} not in form`);
process.exit(wrong === 0 ? 0 : 1);
