import assert from 'node:assert/strict';
import { test } from 'node:test';
import { belowHtml, callHtml, escape, labelHtml, outcomeHtml, speaker, toggleText } from '../media/preview/html';
import type { ToolEntry } from '../src/protocol';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const entry: ToolEntry = { toolName: 'run', call: 'run(args=["pwd"])', status: 'done', result: '/app', inline: true, more: null, range };

/** The visible text: without tags. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&#39;/g, "'").replace(/&amp;/g, '&');
}

function drawn(more: Partial<ToolEntry>): string {
  const whole = { ...entry, ...more };
  return [textOf(callHtml(whole)), textOf(outcomeHtml(whole)), textOf(belowHtml(whole))].filter((part) => part !== '').join('|');
}

test('text of the document is never markup', () => {
  assert.equal(escape(`<b onclick="x">'&`), '&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;');
  const evil = '<img src=x onerror=alert(1)>';
  const html = [
    labelHtml({ label: evil, entries: [] }),
    labelHtml({ label: evil, entries: [entry] }),
    labelHtml({ label: `🔧 ${evil} → ${evil}`, entries: [{ ...entry, call: evil, toolName: evil }] }),
    callHtml({ ...entry, call: evil, toolName: evil }),
    outcomeHtml({ ...entry, result: evil }),
    belowHtml({ ...entry, inline: false, result: evil, more: evil }),
    belowHtml({ ...entry, inline: false, toolName: 'read', call: 'read(path=a.html)', result: evil, changes: `-${evil}\n+${evil}` }),
  ].join('');
  assert.ok(!html.includes('<img'), html);
});

test('a label reads as it is, its failures marked', () => {
  const html = labelHtml({ label: '🔧 5 tool calls · 1 failed · 2 pending', entries: [] });
  assert.equal(textOf(html), '🔧 5 tool calls · 1 failed · 2 pending');
  assert.match(html, /<span class="failed">1 failed<\/span>/);
  assert.match(html, /<span class="pending">2 pending<\/span>/);
});

test('the label of a single call keeps what came of it apart', () => {
  const label = '🔧 run(args=["pwd"]) ✗ no';
  const html = labelHtml({ label, entries: [{ ...entry, status: 'failed', result: 'no' }] });
  assert.equal(textOf(html), label);
  assert.match(html, /<span class="came failed">✗ no<\/span>/);
});

test('a block says what a click does', () => {
  assert.equal(toggleText(false), '(show details)');
  assert.equal(toggleText(true), '(hide details)');
});

test('a short result stands behind its call', () => {
  assert.equal(drawn({}), 'run(args=["pwd"])|→ /app');
  assert.equal(drawn({ result: '' }), 'run(args=["pwd"])');
});

test('the changes of an edit stand between call and result, each line by what it does', () => {
  const html = belowHtml({ ...entry, inline: false, result: 'ok\nok', changes: ' a\n-b\n+c' });
  assert.match(html, /^<pre class="below changes"><span class="kept"> a<\/span><span class="removed">-b<\/span><span class="added">\+c<\/span><\/pre><pre class="below">ok/);
  assert.match(belowHtml({ ...entry, changes: '+c' }), /added/);
});

test('the content of a file that was read is coloured by its extension', () => {
  const read = { ...entry, inline: false, toolName: 'read_file', call: 'read_file(path=src/a.py)', result: 'import os\nx = 1' };
  assert.match(belowHtml(read), /<span class="hljs-keyword">import<\/span> os/);
  for (const other of [{ call: 'read_file(path=a.unknown)' }, { call: 'read_file(path=README)' }, { toolName: 'grep' }, { status: 'failed' as const }]) {
    assert.doesNotMatch(belowHtml({ ...read, ...other }), /hljs/);
  }
});

test('a longer result stands below, with what is left out', () => {
  assert.equal(drawn({ inline: false, result: 'a\nb', more: '... (12 more lines)' }), 'run(args=["pwd"])|a\nb\n... (12 more lines)');
});

test('a call that waits or that failed is marked', () => {
  assert.equal(drawn({ status: 'pending', result: '' }), 'run(args=["pwd"])|⏳');
  assert.equal(drawn({ status: 'failed', result: 'no such file' }), 'run(args=["pwd"])|✗ no such file');
  assert.equal(drawn({ status: 'failed', result: 'a\nb', inline: false }), 'run(args=["pwd"])|✗|a\nb');
});

test('a call is drawn whole, whether it begins with the name of its tool or not', () => {
  assert.equal(drawn({ toolName: 'other' }), 'run(args=["pwd"])|→ /app');
  assert.match(callHtml(entry), /<span class="tool-name">run<\/span>/);
});

test('who speaks is named as in the document, else by role', () => {
  assert.equal(speaker({ role: 'assistant', name: 'Agent (reviewer)' }), 'Agent (reviewer)');
  assert.equal(speaker({ role: 'user', name: null }), 'User');
  assert.equal(speaker({ role: null, name: null }), '');
});
