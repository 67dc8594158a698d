import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { INITIAL, parseRawGrammar, Registry, type IGrammar, type IRawGrammar } from 'vscode-textmate';
import { HOSTS } from './hostGrammars';

// The tests are run in the extension's folder.
const folder = process.cwd();
const INJECTION = 'text.chatls.injection';
const FILES: Record<string, string> = { [INJECTION]: 'tools', 'source.ndjson': 'ndjson', 'source.sse': 'sse' };

async function onig(): Promise<{ createOnigScanner: typeof createOnigScanner; createOnigString: typeof createOnigString }> {
  const wasm = createRequire(path.join(folder, 'package.json')).resolve('vscode-oniguruma/release/onig.wasm');
  await loadWASM(readFileSync(wasm));
  return { createOnigScanner, createOnigString };
}

const registry = new Registry({
  onigLib: onig(),
  loadGrammar: (scope) => Promise.resolve(grammarOf(scope)),
  getInjections: (scope) => (scope === 'text.html.markdown' ? [INJECTION] : []),
});

function grammarOf(scope: string): IRawGrammar | undefined {
  const name = FILES[scope];
  if (name === undefined) {
    return HOSTS.find(({ scopeName }) => scopeName === scope);
  }
  const file = path.join(folder, 'grammars', `${name}.tmLanguage.json`);
  return parseRawGrammar(readFileSync(file, 'utf8'), file);
}

/** Each of `expected` is a piece of a line of `text`, and a scope that it has. */
async function check(scope: string, text: string, expected: [string, string][]): Promise<void> {
  const grammar = await registry.loadGrammar(scope);
  assert.ok(grammar);
  const pieces = piecesOf(grammar, text);
  for (const [piece, wanted] of expected) {
    const found = pieces.find(({ text: it }) => it.trim() === piece);
    assert.ok(found, `no token ${piece} among ${pieces.map((it) => it.text).join(' | ')}`);
    assert.ok(found.scopes.includes(wanted), `${piece}: ${found.scopes.join(' ')}`);
  }
}

function piecesOf(grammar: IGrammar, text: string): { text: string; scopes: string[] }[] {
  let stack = INITIAL;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens.map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), scopes }));
  });
}

const markdown = async (text: string, expected: [string, string][]): Promise<void> =>
  check('text.html.markdown', text, expected);
const KEY = 'support.type.property-name.json';
const MARK = 'keyword.control.tag.chatls';

const PAYLOAD = 'meta.embedded.block.json';

test('payloads of tool fences are embedded JSON, also half-typed ones', async () => {
  await markdown('```tool\n{"a": 1}\n```\n**b**', [['tool', 'keyword.control.chatls'], ['"a"', PAYLOAD], ['"a"', KEY], ['**b**', 'markup.bold.markdown']]);
  await markdown('~~~tool x\n{"a": "open\n~~~\n**b**', [['"open', PAYLOAD], ['"open', 'string.quoted.double.json'], ['**b**', 'markup.bold.markdown']]);
  await markdown('> ```tool\n> {"a": "open\n\n**b**', [['**b**', 'markup.bold.markdown']]);
  await markdown('- ```tool\n  {"a": 1}\n  ```', [['1', PAYLOAD], ['1', 'constant.language.json']]);
});

test('a payload has keys, strings and constants, and nothing of Markdown', async () => {
  const line = '{"a\\"b": ["c", -1.5e3, true, null], "`d`": "*e* <tool>f()</tool> ###: {}"}';
  const pieces = await payloadOf(line);
  const named = (scope: string): string[] => pieces.filter(({ scopes }) => scopes.at(-1) === scope).map(({ text }) => text);
  assert.deepEqual(named(KEY), ['"a\\"b"', '"`d`"']);
  assert.deepEqual(named('string.quoted.double.json'), ['"c"', '"*e* <tool>f()</tool> ###: {}"']);
  assert.deepEqual(named('constant.language.json'), ['-1.5e3', 'true', 'null']);
});

test('a long line of a payload is one token, for VS Code looks at the whole document', async () => {
  const line = `{"output": "${'x'.repeat(500)}"}`;
  assert.deepEqual((await payloadOf(line)).map(({ text }) => text), [line]);
});

async function payloadOf(line: string): Promise<{ text: string; scopes: string[] }[]> {
  const grammar = await registry.loadGrammar('text.html.markdown');
  assert.ok(grammar);
  return piecesOf(grammar, `\`\`\`tool\n${line}\n\`\`\``).filter(({ scopes }) => scopes.includes(PAYLOAD));
}

test('fences in other fences are documentation', async () => {
  await markdown('````markdown\n```tool\n{"a": 12}\n```\n````', [['{"a": 12}', 'markup.fenced_code.block.markdown']]);
});

test('markers have JSON behind them, over lines, to the next blank line', async () => {
  await markdown('Text ###:{"toolName": 1} and **b**', [['###:', 'keyword.control.marker.chatls'], ['toolName', KEY], ['**b**', 'markup.bold.markdown']]);
  await markdown('###: {\n  "x": [1]\n}\n\n**b**', [['x', KEY], ['1', 'constant.numeric.json'], ['**b**', 'markup.bold.markdown']]);
  await markdown('###: {"x": "open\n\n**b**', [['**b**', 'markup.bold.markdown']]);
  await markdown('> ###: {\n>   "x": 1\n> }', [['x', KEY]]);
});

test('what looks like a marker elsewhere is none', async () => {
  for (const text of ['`###:{"a": 1}`', '<!-- ###:{"a": 1} -->', '    ###:{"a": 1}', '####:{"a": 1}', '### {"a": 1}']) {
    const grammar = await registry.loadGrammar('text.html.markdown');
    assert.ok(grammar);
    assert.ok(!piecesOf(grammar, text).some(({ scopes }) => scopes.includes(KEY)), text);
  }
});

test('outcomes say what was executed, and what failed', async () => {
  await markdown('*🔧 Executed getWeather: 18 °C*', [['getWeather', 'entity.name.function.chatls'], ['18 °C', 'string.unquoted.outcome.chatls']]);
  await markdown('*❌ Tool getTides not available*', [['getTides', 'entity.name.function.chatls'], ['not available', 'token.error-token']]);
});

test('tags have a call in their first line', async () => {
  await markdown('<tool>f(x=1, y=&quot;2&quot;)\n# no heading\n\n</tool>\n**b**', [
    ['<tool>', MARK],
    ['f', 'entity.name.function.chatls'],
    ['y', 'variable.parameter.chatls'],
    ['&quot;', 'constant.character.entity.html'],
    ['# no heading', 'meta.tool.tag.chatls'],
    ['</tool>', MARK],
    ['**b**', 'markup.bold.markdown'],
  ]);
  await markdown('Text <tool>g()</tool> **b**', [['g', 'entity.name.function.chatls'], ['**b**', 'markup.bold.markdown']]);
  await markdown('<tool>open\n<tool>f()</tool>', [['f', 'entity.name.function.chatls']]);
});

test('older lines stand out', async () => {
  await markdown('🔧 **Tool Call:** `save_file(a=b)`\n✅ **`save_file` result:**', [
    ['save_file', 'entity.name.function.chatls'],
    ['a', 'variable.parameter.chatls'],
  ]);
});

test('a line of a log does not reach the next', async () => {
  await check('source.ndjson', '{"a": "open\n{"b": 12}\n9:{"c": 3}', [['12', 'constant.numeric.json'], ['9', 'keyword.control.code.ndjson'], ['3', 'constant.numeric.json']]);
  await check('source.sse', 'event: x\ndata: {"a": "open\ndata: 12\n: note\ndata: [DONE]', [
    ['x', 'string.unquoted.value.sse'],
    ['12', 'constant.numeric.json'],
    [': note', 'comment.line.sse'],
    ['[DONE]', 'constant.language.done.sse'],
  ]);
  await markdown('```jsonl\n{"a": "open\n{"b": 12}\n```\n**b**', [['12', 'constant.numeric.json'], ['**b**', 'markup.bold.markdown']]);
});
