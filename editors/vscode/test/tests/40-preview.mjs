// The preview draws the transcript as a chat, and follows it.
import assert from 'node:assert/strict';
import { waitFor, waitForValue } from '../driver/wait.mjs';

const transcript = `# Machines

**User:** What machine is this?

**Assistant:** One moment.

<tool>run_shell_command(args=[&quot;pwd&quot;])
/app</tool>

<tool>read_file(file_name=pyproject.toml)
[project]
name = &quot;server&quot;</tool>

<tool>read_file(file_name=a.toml)</tool>

It is a *server*.
`;

async function openPreview(vs, name, text = transcript) {
  await vs.create(name, text);
  await vs.command('chatls: Open Preview to the Side');
  const page = vs.webview();
  await page.locator('.tools').first().waitFor();
  return page;
}

export const tests = {
  async 'the preview draws messages, and each batch as one closed block'(vs) {
    const page = await openPreview(vs, 'preview.chat.md');
    assert.deepEqual(await page.locator('.speaker:visible').allInnerTexts(), ['User', 'Assistant']);
    assert.equal(await page.locator('.label').innerText(), '🔧 3 tool calls · 1 pending (show details)');
    assert.equal(await page.locator('.label').getAttribute('aria-expanded'), 'false');
    assert.equal(await page.locator('.entry:visible').count(), 0);
    assert.equal(await page.locator('.assistant em').innerText(), 'server');
    assert.match(await page.locator('.toolbar').innerText(), /2 messages · 3 tool calls\s+1 pending/);
  },

  async 'a narrow preview wraps its toolbar, and does not scroll sideways'(vs) {
    const page = await openPreview(vs, 'narrow.chat.md');
    const body = page.locator('body');
    await body.evaluate((element) => { element.style.width = '300px'; });
    await page.locator('.toolbar .summary').waitFor();
    const found = await page.locator('.toolbar').evaluate((bar) => {
      const parts = [...bar.children].filter((part) => !part.hidden && !part.classList.contains('gap')).map((part) => part.getBoundingClientRect());
      return { right: Math.max(...parts.map(({ right }) => right)), summary: bar.querySelector('.summary').getBoundingClientRect().width };
    });
    assert.ok(found.right <= 300 && found.summary > 60, JSON.stringify(found));
    assert.equal(await body.evaluate((element) => element.scrollWidth <= 300), true);
  },

  async 'edits are drawn as diffs, and code has colours'(vs) {
    const edit = { toolName: 'edit', input: { path: 'a.py', old_string: 'a\nb\n', new_string: 'a\nc\n' }, output: 'ok' };
    await vs.create('colours.chat.md', `Hi.\n\n\`\`\`python\nimport os\n\`\`\`\n\n\`\`\`tool\n${JSON.stringify(edit)}\n\`\`\`\n`);
    await vs.command('chatls: Open Preview to the Side');
    const page = vs.webview();
    await page.locator('.text .hljs-keyword').filter({ hasText: 'import' }).waitFor();
    await page.locator('.label').first().click();
    await page.locator('.changes .kept').filter({ hasText: 'a' }).waitFor();
    const colour = async (line) => page.locator(`.changes .${line}`).evaluate((element) => [element.textContent, getComputedStyle(element).backgroundColor]);
    const [[removed, red], [added, green]] = [await colour('removed'), await colour('added')];
    assert.deepEqual([removed, added], ['-b', '+c']);
    assert.ok(red !== green && [red, green].every((one) => !one.endsWith(', 0)')), `${red} ${green}`);
  },

  async 'text has the direction of its language, code and calls stay left to right'(vs) {
    const page = await openPreview(vs, 'right-to-left.chat.md', '**Assistant:**\n\nשלום `f`\n\n- אחד\n\n```\ng()\n```\n\n<tool>h()\nשתיים</tool>\n');
    const directions = await page.locator('.body').first().evaluate((body) =>
      ['p', 'ul', 'pre code', '.tools'].map((part) => getComputedStyle(body.querySelector(part)).direction),
    );
    assert.deepEqual(directions, ['rtl', 'rtl', 'ltr', 'ltr']);
  },

  async 'a block opens and closes by keyboard, and shows calls with their results'(vs) {
    const page = await openPreview(vs, 'keys.chat.md');
    await page.locator('.user .name').focus();
    await vs.page.keyboard.press('ArrowDown');
    await vs.page.keyboard.press('ArrowDown');
    await vs.page.keyboard.press('Enter');
    assert.equal(await page.locator('.label').innerText(), '🔧 3 tool calls · 1 pending (hide details)');
    const entries = (await page.locator('.entry').allInnerTexts()).map((text) => text.trim());
    assert.deepEqual(entries, [
      'run_shell_command(args=["pwd"]) → /app',
      'read_file(file_name=pyproject.toml)\n[project]\nname = "server"',
      'read_file(file_name=a.toml) ⏳',
    ]);
    await vs.page.keyboard.press('ArrowDown');
    assert.match(await page.locator(':focus').innerText(), /^run_shell_command/);
    await vs.page.keyboard.press('ArrowLeft');
    await vs.page.keyboard.press('ArrowLeft');
    assert.equal(await page.locator('.entry:visible').count(), 0);
  },

  async 'opens all blocks at once, and finds what failed'(vs) {
    const failing = '<tool>c()\nd</tool>\n\n```tool\n{ "toolName": "e", "state": "output-error", "errorText": "no" }\n```\n';
    const page = await openPreview(vs, 'all.chat.md', `${transcript}\n${failing}`);
    await page.getByRole('button', { name: 'Expand all' }).click();
    await waitForValue('the open entries', async () => page.locator('.entry:visible').count(), 5);
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await waitForValue('the open entries', async () => page.locator('.entry:visible').count(), 0);
    await page.getByRole('button', { name: '1 failed', exact: true }).click();
    await page.locator('.call:focus').waitFor();
    assert.equal((await page.locator('.entry:has(:focus)').innerText()).trim(), 'e() ✗ no');
    await vs.page.keyboard.press('Enter');
    await vs.cursorAt(21);
  },

  async 'follows what is typed; an open block stays open'(vs) {
    const page = await openPreview(vs, 'live.chat.md');
    await page.locator('.label').click();
    await vs.open('live.chat.md');
    await vs.goTo(16, 18);
    await vs.page.keyboard.type(' And fast.');
    await waitForValue('the text in the preview', async () => page.locator('.assistant .text').last().innerText(), 'It is a server. And fast.');
    await vs.goTo(14, 34);
    await vs.page.keyboard.press('Enter');
    await vs.page.keyboard.type('x = 1');
    await waitForValue('the label', async () => page.locator('.label').innerText(), '🔧 3 tool calls (hide details)');
    await waitForValue('the entry', async () => (await page.locator('.entry').last().innerText()).trim(), 'read_file(file_name=a.toml) → x = 1');
  },

  async 'keeps up with typing in a large transcript'(vs, measures) {
    const many = Array.from({ length: 2500 }, (_, index) => `**User:** Question ${index}\n\n**Assistant:** Answer ${index}\n\n<tool>a(n=${index})\n${index}</tool>\n\n`).join('');
    const page = await openPreview(vs, 'large.chat.md', `${many}**User:** The end\n`);
    await vs.open('large.chat.md');
    await vs.page.keyboard.press('Control+End');
    await page.getByText('The end').waitFor();
    await vs.page.keyboard.press('ArrowUp');
    await vs.page.keyboard.press('End');
    const began = performance.now();
    await vs.page.keyboard.type('!');
    await page.getByText('The end!').waitFor();
    measures.set('preview of 5001 messages after a keystroke', `${Math.round(performance.now() - began)} ms`);
  },

  async 'scrolls with the editor, and leads back to it'(vs) {
    const filler = Array.from({ length: 60 }, (_, index) => `**User:** Question ${index}\n\n**Assistant:** Answer ${index}\n\n`).join('');
    const page = await openPreview(vs, 'scroll.chat.md', `${filler}${transcript}`);
    assert.equal(await inView(page, '.tools .label'), false);
    await vs.open('scroll.chat.md');
    await vs.page.keyboard.press('Control+End');
    await waitFor('the preview to scroll to the batch', async () => inView(page, '.tools .label'));
    await vs.page.keyboard.press('Control+Home');
    await waitFor('the preview to scroll back', async () => !(await inView(page, '.tools .label')));
    await page.locator('.user .name').nth(3).click();
    await vs.cursorAt(13);
  },

  async 'scrolls the editor along'(vs) {
    const filler = Array.from({ length: 80 }, (_, index) => `**User:** Question ${index}\n\n**Assistant:** Answer ${index}\n\n`).join('');
    const page = await openPreview(vs, 'back.chat.md', `${transcript}${filler}`);
    const shown = async () => vs.page.locator('.editor-group-container').first().locator('.view-lines').innerText();
    assert.doesNotMatch(await shown(), /Question 79/);
    const box = await vs.page.locator('iframe.webview.ready').boundingBox();
    await vs.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.speaker:visible').first().waitFor();
    await waitFor('the editor to scroll down with the page', async () => {
      await vs.page.mouse.wheel(0, 2000);
      return (await shown()).replaceAll('\u00a0', ' ').includes('Question 7');
    });
    await waitFor('the editor to scroll up with the page', async () => {
      await vs.page.mouse.wheel(0, -2000);
      return (await shown()).includes('Machines');
    });
  },

  async 'a quoted call leaves no empty quote behind'(vs) {
    const page = await openPreview(vs, 'quoted.chat.md', '**User:** Look:\n\n> <tool>a()\n> b</tool>\n\nAnd:\n\n- <tool>c()\n  d</tool>\n');
    assert.equal(await page.locator('.tools').count(), 2);
    assert.equal(await page.locator('blockquote, li:not(.entry)').count(), 0);
  },

  async 'has the colours of the theme'(vs) {
    const page = await openPreview(vs, 'theme.chat.md');
    const background = async (theme) => {
      await page.locator(`body.${theme}`).waitFor();
      return page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    };
    await vs.page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await background('vscode-dark'), 'rgb(31, 31, 31)');
    await vs.page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
    assert.equal(await background('vscode-high-contrast'), 'rgb(0, 0, 0)');
    await vs.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    assert.equal(await background('vscode-light'), 'rgb(255, 255, 255)');
  },

  async 'goes along with the active editor, unless it is locked'(vs) {
    const page = await openPreview(vs, 'one.chat.md', '**User:** One\n\n<tool>a()\nb</tool>\n');
    await vs.focusFirstGroup();
    await vs.create('two.chat.md', '**User:** Two\n');
    await waitForValue('what the preview shows', async () => page.locator('.user .body').innerText(), 'Two');
    await vs.tabStartingWith('Preview two').click();
    await vs.command('chatls: Toggle Preview Locking');
    await vs.tabStartingWith('[Preview] two').waitFor();
    await vs.focusFirstGroup();
    await vs.open('one.chat.md');
    assert.equal(await page.locator('.user .body').innerText(), 'Two');
  },

  async 'is there again after the window is loaded anew'(vs) {
    const page = await openPreview(vs, 'again.chat.md');
    await page.locator('.label').click();
    await page.locator('.entry').first().waitFor();
    await vs.reload();
    await vs.webview().locator('.entry').first().waitFor();
  },
};

async function inView(page, selector) {
  return page.locator(selector).first().evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });
}
