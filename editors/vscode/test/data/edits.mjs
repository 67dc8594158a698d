// A hundred things that people write into Markdown files every day, none of them about tool calls.
const FENCE = '```';

/** Fences of twenty languages, each with a line of it. */
const fences = {
  json: '{"a": [1, 2], "b": null}',
  jsonc: '{"a": 1} // one',
  js: 'const a = (b) => b;',
  ts: 'let a: string = "b";',
  tsx: '<A b={c} />',
  sh: 'npm run build && ls',
  bash: 'for f in *; do echo "$f"; done',
  console: '$ make test',
  s: 'mov eax, 1',
  sql: 'select * from t where a = 1;',
  py: 'print(f"{a:>3}")',
  rust: 'fn main() { let a: u8 = 1; }',
  go: 'a := map[string]int{}',
  c: 'int a = b < c;',
  text: 'a > b',
  toml: 'a = "b"',
  yaml: 'a: b',
  html: '<p>a</p>',
  diff: '- a',
  '': 'nothing',
};

const headings = ['# Title', '## Install', '### Usage: basics', '#### API (v2)', '##### `code` here', '###### Last', 'Setext\n======', 'Other\n-----', '## User', '### Tools'];

const lists = [
  '- one\n- two\n- three', '* a\n* b', '+ a', '1. first\n2. second', '1) a', '- [ ] open\n- [x] done', '- a\n  - b\n    - c', '- `a`: b', '- **a** - b', '- tool: hammer',
  '- "quoted"', '- a: b: c', '10. ten', '- <kbd>Ctrl</kbd>+C', '- (a) and [b]',
];

const tables = ['| a | b |\n|---|---|\n| 1 | 2 |', '| a |\n|:-:|\n| `b` |', 'a | b\n--|--\n1 | 2', '| "a" | b: c |\n|---|---|', '| <b> | (c) |\n|---|---|', '| - | > |\n|---|---|', '| a = b |\n|---|', '| tool | use |\n|---|---|\n| saw | wood |'];

const links = [
  '[text](https://example.com)', '[text](./docs/a.md "title")', '<https://example.com>', '![alt](image.png)', '[a][b]\n\n[b]: https://example.com', '[#1](#usage)', 'See [the docs](docs/).', 'https://example.com/?a=b&c=d',
  '[^1] and\n\n[^1]: a note', '<me@example.com>', '[tool](tool.md)', '[![b](c)](d)',
];

const html = [
  '<br>', '<details>\n<summary>More</summary>\n\nText\n\n</details>', '<img src="a.png" alt="b">', '<!-- a comment -->', '<p align="center">a</p>', '<a href="b">c</a>', '<sub>a</sub><sup>b</sup>', '<kbd>Enter</kbd>', '<div class="a b">', '<tool>hammer</tool>',
];

const words = [
  'Plain words, and more.', 'A line: with a colon.', 'Either (or) both.', '"Quoted" and \'single\'.', 'a < b > c', 'x = 1; y = 2', '**bold** and *italic*', '`code` and ``more ` code``', '~~gone~~', '2 > 1 = true', '> quoted', '> > twice', '> - in a quote', '---', '***',
  'a\\*b', '5 * 3 = 15', 'toolbox and tools', 'The tool call failed.', 'state: done', 'User stories', 'Use `tool` here.', '#: not a heading', 'e.g. a "tool"', 'The end.',
];

export const edits = [...Object.entries(fences).map(([language, line]) => `${FENCE}${language}\n${line}\n${FENCE}`), ...headings, ...lists, ...tables, ...links, ...html, ...words];

/** Those in which the server might have a say: they begin as something of a transcript does. */
export const delicate = [
  ...['json', 's', ''].map((language) => `${FENCE}${language}\n1\n${FENCE}`),
  '<tool>hammer</tool>', '- "a": b', '## Tools', '#: no', '[a](./b "c")',
];
