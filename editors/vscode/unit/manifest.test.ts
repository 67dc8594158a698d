import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isJsonLog, JSON_NAMES, LANGUAGES } from '../src/languages';
import { OWN_SETTINGS } from '../src/settings';

interface Step {
  media: { markdown?: string; image?: string };
  completionEvents: string[];
}

interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string }[];
    views: Record<string, { when: string }[]>;
    menus: Record<string, { command?: string; when?: string }[]>;
    configuration: { properties: Record<string, object> }[];
    languages: { configuration?: string; icon?: Record<string, string> }[];
    grammars: { path: string }[];
    walkthroughs: { steps: Step[] }[];
  };
}

// The tests are run in the extension's folder.
const { activationEvents, contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commands = contributes.commands.map(({ command }) => command);
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');

/** The server's own commands, which the client registers. */
const OF_SERVER = 'convert complete merge unify newId numberIds redact wrap extract sortRecords repair showBatch run runAgain continue cancelRun servers stopServer revokeConsent pullTools'.split(' ');

test('each command is registered, and none is the server\'s', () => {
  for (const command of commands) {
    const name = command.replace('chatls.', '');
    assert.match(sources, new RegExp(`'${command.replace('.', '\\.')}'|\\b${name}(:|,$)`, 'm'), command);
    assert.ok(!OF_SERVER.includes(name), command);
  }
});

test('nothing is contributed that fires while somebody types in a file of another kind', () => {
  assert.ok(!('snippets' in contributes));
  assert.ok(!('keybindings' in contributes));
});

test('no command is in a menu of documents that are no transcripts', () => {
  // The views are shown once there is a transcript.
  const { 'explorer/context': explorer = [], 'chatls.context': submenu = [], ...all } = contributes.menus;
  const menus = Object.entries(all).flatMap(([name, items]) => (name.startsWith('view/') ? [] : [items]));
  assert.ok(Object.values(contributes.views).flat().every(({ when }) => when.startsWith('chatls.hasTranscript')));
  const always = menus.flat().filter(({ when = '' }) => when !== 'false' && !/chatls\.(isTranscript|canInsert)/.test(when));
  assert.deepEqual(always, []);
  assert.ok(submenu.length > 0, 'the submenu is in the context menu of transcripts alone');
  assert.deepEqual(explorer.map(({ when }) => when), ['resourceFilename =~ /\\.chat\\.md$/']);
});

test('menus and steps have commands that there are', () => {
  const inMenus = Object.values(contributes.menus).flat().flatMap(({ command }) => command ?? []);
  const inSteps = contributes.walkthroughs.flatMap(({ steps }) => steps).flatMap(({ completionEvents }) => completionEvents);
  const named = [...inMenus, ...inSteps.filter((event) => event.startsWith('onCommand:')).map((event) => event.replace('onCommand:', ''))];
  assert.deepEqual(named.filter((command) => command.startsWith('chatls.') && !commands.includes(command)), []);
});

test("the server is not told the extension's own settings, and told all others", () => {
  const [own, ...generated] = contributes.configuration.map(({ properties }) => rootsOf(properties));
  assert.deepEqual(own?.filter((root) => !OWN_SETTINGS.includes(root)), []);
  assert.deepEqual(generated.flat().filter((root) => OWN_SETTINGS.includes(root)), []);
});

test('each language of transcripts activates the extension', () => {
  for (const language of LANGUAGES) {
    assert.ok(activationEvents.includes(`onLanguage:${language}`), language);
  }
});

test('JSON is taken by its name', () => {
  assert.ok(activationEvents.includes(`workspaceContains:**/{${JSON_NAMES.join(',')}}`));
  assert.deepEqual(['/w/chat.json', 'C:\\w\\a.Traj.json', 'a.chat.json', '/t/1/api_conversation_history.json'].map(isJsonLog), [true, true, true, true]);
  assert.deepEqual(['/w/package.json', '/w/webchat.json', '/w/traj.json', '/w/a.chat.json5', '/w/a.messages.json.bak'].map(isJsonLog), [false, false, false, false, false]);
});

test('files that are named are there', () => {
  const { languages, grammars, walkthroughs } = contributes;
  const media = walkthroughs.flatMap(({ steps }) => steps).flatMap(({ media }) => [media.markdown, media.image]);
  const files = [
    ...languages.flatMap(({ configuration, icon }) => [configuration, ...Object.values(icon ?? {})]),
    ...grammars.map((file) => file.path),
    ...media,
  ];
  assert.deepEqual(files.filter((file) => file !== undefined && !existsSync(file)), []);
});

/** `lint` of `chatls.lint.secret`. */
function rootsOf(properties: Record<string, object>): string[] {
  return Object.keys(properties).map((name) => name.split('.')[1] ?? '');
}
