// Calls that run: consent, the result in the text, undo, cancelling, and the list of servers.
import assert from 'node:assert/strict';
import path from 'node:path';
import { modelServer } from '../driver/modelServer.mjs';
import { waitFor } from '../driver/wait.mjs';

/** Each test has a folder of its own in that of the editor. */
export const profile = { name: 'running' };
export const shut = true;

const pending = '```tool\n{ "toolName": "search", "input": { "query": "cats" } }\n```\n';
const config = '[run.search]\ncommand = ["sh", "search.sh"]\n';

/** An MCP server, whose only tool changes nothing. */
const server = `while IFS= read -r line; do
  rest=\${line#*\\"id\\":}; id=\${rest%%[,\\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='TOOLS' ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"seen it"}]}'; echo looking >&2 ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
`;
const tools = '{"tools":[{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}';

/** A transcript with a call of the program `search`, which runs `script`. */
async function open(vs, folder, script) {
  vs.write(`${folder}/search.sh`, script);
  vs.write(`${folder}/chatls.toml`, config);
  await vs.create(`${folder}/${folder}.chat.md`, `Hi.\n\n${pending}`);
  await lens(vs, 'Run').waitFor();
  return `${folder}/${folder}.chat.md`;
}

function lens(vs, title) {
  return vs.editor().locator('.codelens-decoration a').filter({ hasText: new RegExp(`^${title}$`) });
}

/** Answers the dialog that has all these texts. */
async function answer(vs, texts, button) {
  const dialog = vs.page.locator('.monaco-dialog-box');
  for (const text of texts) {
    await dialog.filter({ hasText: text }).waitFor();
  }
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

async function agree(vs) {
  await answer(vs, ['Agree to start the program search', 'command: sh search.sh'], 'Agree');
  await answer(vs, ['This call may change something. Run it?', 'cats'], 'Run');
}

function running(vs) {
  return vs.page.locator('.statusbar-item').filter({ hasText: 'Running search' });
}

/** Presses a button of a row until `shown` is there: a row that is drawn anew meanwhile loses the click. */
async function pressUntil(row, button, shown) {
  await waitFor(`${button} to take effect`, async () => {
    await row.hover({ timeout: 5000 }).catch(() => undefined);
    await row.getByRole('button', { name: button }).click({ timeout: 2000 }).catch(() => undefined);
    return shown.waitFor({ timeout: 5000 }).then(() => true, () => false);
  });
}

export const tests = {
  async 'a call runs after consent, and its result is one edit'(vs) {
    const file = await open(vs, 'once', "echo '{\"found\": 3}'\n");
    const before = vs.read(file);
    await lens(vs, 'Run').click();
    await answer(vs, ['Agree to start the program search'], 'Cancel');
    await lens(vs, 'Run').click();
    // An Enter that was meant for the text agrees to nothing.
    const dialog = vs.page.locator('.monaco-dialog-box').filter({ hasText: 'Agree to start the program search' });
    await dialog.waitFor();
    await vs.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await lens(vs, 'Run').click();
    await agree(vs);
    await vs.waitForText(file, (text) => text.includes('"output"'));
    assert.match(vs.read(file), /"found": ?3/);
    await running(vs).waitFor({ state: 'hidden' });
    await vs.editor().locator('.view-line').first().click();
    await vs.page.keyboard.press('Control+z');
    await vs.waitForText(file, before);
    // The consent counts, and the other question comes each time.
    await vs.command('chatls: Run All Pending Calls');
    await answer(vs, ['This call may change something. Run it?'], 'Run');
    await vs.waitForText(file, (text) => text.includes('"output"'));
  },

  async 'a running call is cancelled, and the document is edited meanwhile'(vs) {
    const file = await open(vs, 'long', 'exec sleep 1000\n');
    await lens(vs, 'Run').click();
    await agree(vs);
    await running(vs).waitFor();
    await vs.goTo(1, 4);
    await vs.page.keyboard.type(' In between.');
    await running(vs).click();
    await vs.choose('Cancel search');
    await running(vs).waitFor({ state: 'hidden' });
    await vs.waitForText(file, `Hi. In between.\n\n${pending}`);
  },

  async 'a result whose call has changed meanwhile is offered'(vs) {
    await open(vs, 'changed', "while ! [ -e go ]; do sleep 0.1; done\necho '{\"found\": 3}'\n");
    await lens(vs, 'Run').click();
    await agree(vs);
    await running(vs).waitFor();
    await vs.goTo(4, 4);
    await vs.page.keyboard.type('"toolCallId": "x", ');
    await vs.waitForText('changed/changed.chat.md', (text) => text.includes('toolCallId'));
    vs.write('changed/go', '');
    await vs.notification('The result of search is not in the document.').getByRole('button', { name: 'Open Result' }).click();
    await vs.line('"found"');
    await vs.command('View: Revert and Close Editor');
  },

  async 'servers are listed with what they start, and consent is taken back'(vs) {
    await open(vs, 'listed', 'echo 1\n');
    await vs.command('chatls: Show Tool Servers');
    const row = vs.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'search' });
    await row.filter({ hasText: 'you have not agreed to start it' }).waitFor();
    await row.click();
    await vs.line('command: sh search.sh');
    await vs.open('listed/listed.chat.md');
    await lens(vs, 'Run').click();
    await agree(vs);
    await vs.waitForText('listed/listed.chat.md', (text) => text.includes('"output": 1'));
    await vs.command('chatls: Show Tool Servers');
    await row.filter({ hasText: 'a program, started for each call' }).hover();
    await row.getByRole('button', { name: 'Take Back Consent' }).click();
    await row.filter({ hasText: 'you have not agreed to start it' }).waitFor();
    await vs.page.keyboard.press('Escape');
    await vs.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  },

  async 'an MCP server runs a call, has a log, and is stopped'(vs) {
    vs.write('mcp/server.sh', server.replace('TOOLS', tools));
    vs.write('mcp/tools.json', tools);
    vs.write('mcp/chatls.toml', '[servers.eyes]\ncommand = "sh"\nargs = ["server.sh"]\nlisting = "tools.json"\n');
    await vs.create('mcp/look.chat.md', pending.replace('search', 'look'));
    await lens(vs, 'Run').click();
    await answer(vs, ['Agree to start the server eyes', 'command: sh server.sh'], 'Agree');
    await vs.waitForText('mcp/look.chat.md', (text) => text.includes('"seen it"'));
    await vs.command('chatls: Show Tool Servers');
    const row = vs.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'eyes' });
    await row.filter({ hasText: 'running, 1 tool' }).hover();
    await row.getByRole('button', { name: 'Stop' }).click();
    await row.filter({ hasText: 'not running' }).waitFor();
    await row.click();
    await vs.line('command: sh server.sh');
  },

  async 'a server is asked for its tools by a quick fix, a link and a button'(vs) {
    vs.write('asked/server.sh', server.replace('TOOLS', tools));
    vs.write('asked/chatls.toml', '[servers.ears]\ncommand = ["sh", "server.sh"]\n');
    await vs.create('asked/look.chat.md', pending.replace('search', 'look'));
    await vs.serverRuns();
    await vs.goTo(2, 19);
    await vs.command('Show or Focus Hover');
    const link = vs.page.locator('.monaco-hover a').filter({ hasText: 'Ask ears for its tools' });
    await link.waitFor();
    await link.click();
    await answer(vs, ['Agree to start the server ears', 'command: sh server.sh'], "Don't Start");
    await vs.goTo(2, 19);
    await vs.page.keyboard.press('Control+.');
    await vs.page.locator('.action-widget').getByText('Ask `ears` for its tools').click();
    await answer(vs, ['Agree to start the server ears'], 'Agree');
    await vs.notification('has 1 tool').waitFor();
    await lens(vs, 'Run').waitFor();
    await vs.command('chatls: Show Tool Servers');
    const row = vs.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'ears' });
    await row.filter({ hasText: 'running, 1 tool' }).hover();
    await row.getByRole('button', { name: 'Ask for Its Tools' }).click();
    await vs.notification('has 1 tool').last().waitFor();
    await vs.page.keyboard.press('Escape');
    await vs.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  },

  async 'the side bar keeps the servers with their states and actions'(vs) {
    vs.write('kept/server.sh', server.replace('TOOLS', tools));
    vs.write('kept/chatls.toml', '[servers.kept]\ncommand = ["sh", "server.sh"]\n[run.search]\ncommand = ["sh", "search.sh"]\n');
    await vs.create('kept/kept.chat.md', pending);
    await vs.serverRuns();
    await vs.command('View: Show chatls');
    const row = (state) => vs.page.locator('.pane-body .monaco-list-row').filter({ hasText: 'kept' }).filter({ hasText: state });
    const dialog = vs.page.locator('.monaco-dialog-box').filter({ hasText: 'Agree to start the server kept' });
    await pressUntil(row('you have not agreed to start it'), 'Start and Ask for Its Tools', dialog);
    await answer(vs, ['Agree to start the server kept'], 'Agree');
    await pressUntil(row('running, 1 tool'), 'Stop', row('not running'));
    await pressUntil(row('not running'), 'Take Back Consent', row('you have not agreed to start it'));
    await row('you have not agreed to start it').click();
    await vs.line('command: sh server.sh');
    await vs.command('View: Show Explorer');
  },

  async 'the tools of a preset work in the folder that the user chooses'(vs) {
    vs.write('preset/chatls.toml', 'tools = ["preset:file-tools"]\n');
    vs.write('preset/cats.txt', 'Tom, Kitty');
    await vs.create('preset/read.chat.md', '```tool\n{ "toolName": "read_file", "input": { "path": "cats.txt" } }\n```\n');
    await lens(vs, 'Run').click();
    const list = vs.page.locator('.quick-input-widget');
    await list.filter({ hasText: 'In which folder may' }).waitFor();
    await vs.choose('running/preset');
    await vs.waitForText('preset/read.chat.md', (text) => text.includes('Tom, Kitty'));
  },

  async "a conversation is continued by the user's model, with the results of its calls"(vs) {
    const model = await modelServer([{ text: 'I look. ', call: { name: 'read_file', arguments: '{"path": "cats.txt"}' } }, { text: 'Two cats.' }]);
    useModel(vs, model.url);
    vs.write('model/chatls.toml', 'tools = ["preset:file-tools"]\n');
    vs.write('model/cats.txt', 'Tom, Kitty');
    // It forgets the folder that was chosen before.
    await vs.command('chatls: Restart Server');
    await vs.create('model/cats.chat.md', '**User:** Which cats are there?\n');
    await vs.serverRuns();
    await vs.command('chatls: Continue Conversation and Run Its Calls');
    await vs.choose('running/model');
    await vs.waitForText('model/cats.chat.md', (text) => text.includes('Tom, Kitty') && text.endsWith('\nTwo cats.\n'));
    model.close();
  },

  async 'an answer that comes is cancelled, and the document is whole'(vs) {
    const model = await modelServer([{ text: 'Once upon', holds: ' a time' }]);
    useModel(vs, model.url);
    await vs.create('model/story.chat.md', '**User:** Tell me a story.\n');
    await vs.serverRuns();
    await vs.command('chatls: Continue Conversation');
    await vs.line('Once upon a time');
    const item = vs.page.locator('.statusbar-item').filter({ hasText: 'Running Answer of m' });
    await item.click();
    await vs.choose('Cancel Answer of m');
    await item.waitFor({ state: 'hidden' });
    await vs.waitForText('model/story.chat.md', '**User:** Tell me a story.\n\n**Assistant:**\n\nOnce upon a time\n');
    model.close();
  },
};

/** Makes `url` the model of the editor's user. */
function useModel(vs, url) {
  const home = path.relative(vs.folder, path.resolve(vs.server.settingsFile, '../../..'));
  vs.write(path.join(home, 'chatls/settings.toml'), `[model]\nserver = "openai"\nurl = "${url}"\nname = "m"\n`);
}
