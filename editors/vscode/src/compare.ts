/** Compares two transcripts by their tool calls: a diff, and a list of the differences. */
import * as vscode from 'vscode';
import { activeTranscript, baseName, folderOf, inform, messageOf, toRange } from './common';
import { plural } from './counts';
import { COMPARE_SCHEME, EXTENSIONS, JSON_NAMES, isTranscript } from './languages';
import type { Comparison } from './protocol';
import { withProgress } from './progress';
import type { Server } from './server';

interface Place extends vscode.QuickPickItem {
  uri?: vscode.Uri;
  /** Where it differs, in `uri`. */
  start?: vscode.Position;
}

/** The most files of the workspace that are listed. */
const MOST_FILES = 2000;

/** The texts of the comparisons whose documents are open. */
type Texts = Map<string, string>;

export function registerCompare(context: vscode.ExtensionContext, server: Server): void {
  const texts: Texts = new Map<string, string>();
  const provideTextDocumentContent = (uri: vscode.Uri): string => texts.get(uri.toString()) ?? '';
  context.subscriptions.push(
    vscode.commands.registerCommand('chatls.compareWith', async () => compareWith(server, texts)),
    vscode.workspace.registerTextDocumentContentProvider(COMPARE_SCHEME, { provideTextDocumentContent }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
  );
}

async function compareWith(server: Server, texts: Texts): Promise<void> {
  const left = activeTranscript()?.uri;
  const other = left && (await chooseOther(left));
  if (!other) {
    return;
  }
  try {
    const right = await vscode.workspace.openTextDocument(other);
    const sent = { uri: other.toString(), languageId: right.languageId, text: right.getText() };
    const title = `Comparing ${baseName(left)} with ${baseName(other)}`;
    const found = await withProgress(title, async (token) => server.request<Comparison>('compare', left, { other: sent }, token));
    if (found !== undefined) {
      await show(texts, left, other, found);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(`The transcripts were not compared: ${messageOf(error)}`);
  }
}

/** The other transcript: an open one, one of the workspace, or another file. */
async function chooseOther(left: vscode.Uri): Promise<vscode.Uri | undefined> {
  const browse: Place = { label: 'Choose a File…', alwaysShow: true };
  const title = `Compare ${baseName(left)} With`;
  const places = workspacePlaces(left).then((found) => [...found, browse]);
  const chosen = await vscode.window.showQuickPick(places, { title, placeHolder: 'Type to find a transcript of the workspace' });
  if (chosen !== browse) {
    return chosen?.uri;
  }
  const filters = { Transcripts: [...EXTENSIONS, 'json'], 'All Files': ['*'] };
  return (await vscode.window.showOpenDialog({ title, openLabel: 'Compare', filters }))?.[0];
}

/** The other documents that are open, and the files of the workspace, the nearest ones first. */
async function workspacePlaces(left: vscode.Uri): Promise<Place[]> {
  const others = (uri: vscode.Uri): boolean => uri.toString() !== left.toString();
  const open = vscode.workspace.textDocuments.filter((document) => isTranscript(document)).map(({ uri }) => uri).filter(others);
  const names = [...EXTENSIONS.map((extension) => `*.${extension}`), ...JSON_NAMES];
  const files = (await vscode.workspace.findFiles(`**/{${names.join(',')}}`, undefined, MOST_FILES)).filter(others);
  const isOpen = new Set(open.map(String));
  const place = (uri: vscode.Uri, description?: string): Place => ({ label: vscode.workspace.asRelativePath(uri), ...(description && { description }), uri });
  const closed = files.filter((uri) => !isOpen.has(uri.toString())).sort(byDistance(left)).map((uri) => place(uri));
  return [...open.map((uri) => place(uri, 'open')), ...closed];
}

/** Files of the same folder come before those of other folders, then by path. */
function byDistance(from: vscode.Uri): (one: vscode.Uri, other: vscode.Uri) => number {
  const folder = folderOf(from).path;
  const distance = (uri: vscode.Uri): number => (folderOf(uri).path === folder ? 0 : 1);
  return (one, other) => distance(one) - distance(other) || one.path.localeCompare(other.path);
}

async function show(texts: Texts, left: vscode.Uri, right: vscode.Uri, found: Comparison): Promise<void> {
  const [one, other] = [baseName(left), baseName(right)];
  if (found.isSame) {
    inform(`No differences between ${one} and ${other} in ${plural(found.pairs.length, 'tool call')}.`);
    return;
  }
  const sides = [keep(texts, one, 'left', found.leftText), keep(texts, other, 'right', found.rightText)];
  await vscode.commands.executeCommand('vscode.diff', ...sides, `${one} ↔ ${other} (tool calls)`);
  if ((await vscode.window.showInformationMessage(sentence(found, one, other), 'List Differences')) !== undefined) {
    const title = `Differences of ${one} and ${other}`;
    const place = await vscode.window.showQuickPick(placesOf(left, right, found), { title, matchOnDescription: true });
    if (place?.uri && place.start) {
      await vscode.window.showTextDocument(place.uri, { selection: new vscode.Range(place.start, place.start) });
    }
  }
}

/** The URI of one side; each comparison has its own. */
function keep(texts: Texts, name: string, side: string, text: string): vscode.Uri {
  const uri = vscode.Uri.from({ scheme: COMPARE_SCHEME, path: `/${name} (tool calls)`, query: `${Date.now()}-${side}` });
  texts.set(uri.toString(), text);
  return uri;
}

/** `2 tool calls differ, 1 only in a.md.` */
function sentence({ pairs, onlyLeft, onlyRight }: Comparison, one: string, other: string): string {
  const differing = pairs.filter(({ differences }) => differences.length > 0).length;
  const parts = [
    differing > 0 && `${plural(differing, 'tool call')} ${differing === 1 ? 'differs' : 'differ'}`,
    onlyLeft.length > 0 && `${onlyLeft.length} only in ${one}`,
    onlyRight.length > 0 && `${onlyRight.length} only in ${other}`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

/** The differences of each pair, and the calls that only one of the documents has. */
function placesOf(left: vscode.Uri, right: vscode.Uri, { pairs, onlyLeft, onlyRight }: Comparison): Place[] {
  const section = (label: string, places: Place[]): Place[] =>
    places.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...places];
  const only = (uri: vscode.Uri, uses: Comparison['onlyLeft']): Place[] =>
    section(`only in ${baseName(uri)}`, uses.map(({ label, range }) => ({ label, uri, start: toRange(range).start })));
  const differing = pairs.flatMap(({ left: { label, range }, differences, moreDifferences }) => {
    const place = { uri: left, start: toRange(range).start };
    const more = moreDifferences > 0 ? [{ label: `${moreDifferences} more`, ...place }] : [];
    const changes = differences.map(({ path, ...values }) => {
      return { label: path, description: `${brief(values.left)} → ${brief(values.right)}`, ...place };
    });
    return section(label, [...changes, ...more]);
  });
  return [...differing, ...only(left, onlyLeft), ...only(right, onlyRight)];
}

function brief(value: string | null): string {
  return value === null ? '(nothing)' : value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
