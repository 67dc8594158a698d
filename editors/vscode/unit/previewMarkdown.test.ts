import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '../media/preview/markdown';

function html(text: string): string {
  return renderMarkdown(text, { base: 'https://resource/folder' }).trim();
}

test('HTML is text', () => {
  assert.equal(html('<script>alert(1)</script>'), '<p data-line="0" dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>');
  assert.ok(!html('a <img src=x onerror=y> b').includes('<img'));
});

test('links lead to the web, to mail and to files beside the document, and nowhere else', () => {
  assert.match(html('[a](https://a.b)'), /href="https:\/\/a.b"/);
  assert.match(html('[a](mailto:a@b.c)'), /href="mailto:/);
  assert.match(html('[a](src/a.ts)'), /href="src\/a.ts"/);
  for (const address of ['javascript:alert(1)', 'command:workbench.action.quit', 'file:///etc/passwd', 'vscode://x', ' JavaScript:x']) {
    assert.doesNotMatch(html(`[a](<${address}>)`), /href="(?!src)[^"]*:/i, address);
  }
});

test('addresses in text are links; names of files are not', () => {
  assert.match(html('See https://a.b/c.'), /<a href="https:\/\/a.b\/c">/);
  assert.doesNotMatch(html('See README.md and a@b.co'), /<a/);
});

test('an image of the web is only named, one beside the document is shown', () => {
  assert.doesNotMatch(html('![a cat](https://a.b/cat.png)'), /<img/);
  assert.match(html('![a cat](https://a.b/cat.png)'), /<a class="image" href="https:\/\/a.b\/cat.png">🖼 a cat<\/a>/);
  assert.match(html('![a cat](cat.png)'), /<img src="https:\/\/resource\/folder\/cat.png" alt="a cat">/);
  assert.match(html('![](data:image/png;base64,AAAA)'), /<img src="data:image\/png/);
  assert.doesNotMatch(html('![](data:text/html,x)'), /<img/);
});

test('comments are not drawn', () => {
  assert.equal(html('<!-- chatls-disable-next bad-state -->'), '');
  assert.equal(html('a\n<!-- one\n\ntwo -->\nb'), '<p data-line="0" dir="auto">a</p>\n<p data-line="4" dir="auto">b</p>');
  assert.equal(html('a <!-- b --> c'), '<p data-line="0" dir="auto">a  c</p>');
  assert.match(html('a <!-- never closed'), /a &lt;!-- never closed/);
  assert.match(html('`<!-- code -->`'), /&lt;!-- code --&gt;/);
});

test('blocks say on which line they begin', () => {
  assert.deepEqual([...html('# A\n\nb\n\n```\nc\n```\n').matchAll(/data-line="(\d+)"/g)].map(([, line]) => Number(line)), [0, 2, 4]);
});

test('each block has the direction of its text, and code is left to right', () => {
  const shown = html('# שלום\n\nمرحبا `f(x)`\n\n- ا\n\n  ب\n\n> c\n\n| t |\n|---|\n| u |\n\n```js\nf()\n```\n\n    g()\n').replace(/ data-line="\d+"/g, '');
  for (const part of ['<h1 dir="auto">', '<p dir="auto">مرحبا <code dir="ltr">f(x)</code>', '<ul dir="auto">', '<blockquote dir="auto">', '<table dir="auto">']) {
    assert.ok(shown.includes(part), `${part} in ${shown}`);
  }
  assert.match(shown, /<code [^>]*dir="ltr"[^>]*>(?:<[^>]*>)?f(?:<[^>]*>)?\(\)/);
  assert.match(shown, /<pre dir="ltr"><code>g\(\)/);
  // A block looks for its direction in those of its parts that have none.
  assert.match(shown, /<li>\s*<p>ا/);
});

test('code is coloured in the languages that are known', () => {
  assert.match(html('```ts\nconst a = "<b>";\n```'), /<span class="hljs-keyword">const<\/span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;<\/span>/);
  assert.match(html('```diff\n-a\n+b\n```'), /hljs-deletion.*\n.*hljs-addition/);
  for (const text of ['```\nconst a\n```', '```unknown\nconst <a>\n```', `\`\`\`ts\n${'const a;\n'.repeat(3000)}\`\`\``]) {
    assert.doesNotMatch(html(text), /hljs|<a>/);
  }
});
