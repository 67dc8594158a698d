/** The servers and programs that run the tools of a transcript: a list, and a page for each. */
import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { inform, messageOf } from '../common';
import { plural } from '../counts';
import { withProgress } from '../progress';
import { orSayWhyNot } from '../commands/write';
import type { ToolServer, ToolServerState } from '../protocol';
import type { Server } from '../server';

/** The scheme of the pages. */
const SCHEME = 'chatls-server';

export const LOOKS: Record<ToolServerState, { icon: string; words: string }> = {
  unusable: { icon: 'warning', words: 'cannot be started' },
  noConsent: { icon: 'lock', words: 'you have not agreed to start it' },
  stopped: { icon: 'circle-outline', words: 'not running' },
  starting: { icon: 'loading~spin', words: 'starting' },
  running: { icon: 'pass-filled', words: 'running' },
  failed: { icon: 'error', words: 'failed' },
};

const button = (icon: string, tooltip: string): vscode.QuickInputButton => ({ iconPath: new vscode.ThemeIcon(icon), tooltip });
const STOP = button('debug-stop', 'Stop');
const ASK = button('search', 'Ask for Its Tools');
const REVOKE = button('trash', 'Take Back Consent');
const BUTTONS: Record<ServerAction, vscode.QuickInputButton> = { pullTools: ASK, stopServer: STOP, revokeConsent: REVOKE };

/** The server's commands for one server. */
export type ServerAction = 'pullTools' | 'stopServer' | 'revokeConsent';

interface Entry extends vscode.QuickPickItem {
  server: ToolServer;
}

export class ToolServers {
  private readonly changes = new vscode.EventEmitter<undefined>();
  private readonly pages = new Map<string, vscode.Uri>();

  constructor(context: vscode.ExtensionContext, private readonly server: Server) {
    const changed = new vscode.EventEmitter<vscode.Uri>();
    const provideTextDocumentContent = async (uri: vscode.Uri): Promise<string> => {
      this.pages.set(uri.toString(), uri);
      return this.page(uri);
    };
    server.notifications['chatls/serversChanged'] = () => { this.changes.fire(undefined); };
    context.subscriptions.push(
      this.changes,
      changed,
      this.changes.event(() => { this.pages.forEach((uri) => { changed.fire(uri); }); }),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, { onDidChange: changed.event, provideTextDocumentContent }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.pages.delete(uri.toString())),
    );
  }

  /** Lists the servers of a transcript, and keeps the list up to date while it is open. */
  async show({ document }: vscode.TextEditor): Promise<void> {
    if (!this.server.runs('chatls.servers')) {
      inform(vscode.workspace.isTrusted ? 'This chatls server cannot run calls.' : 'Nothing is run in restricted mode: trust the workspace first.');
      return;
    }
    const uri = this.server.client()?.code2ProtocolConverter.asUri(document.uri) ?? '';
    const pick = vscode.window.createQuickPick<Entry>();
    Object.assign(pick, { title: 'Tool Servers', placeholder: 'Shows what a server starts, and its log', keepScrollPosition: true, matchOnDetail: true });
    const update = async (): Promise<void> => {
      pick.busy = true;
      try {
        pick.items = (await this.list(uri)).map(entryOf);
        pick.placeholder = pick.items.length === 0 ? 'No chatls.toml or mcp.json names a server or program here' : pick.placeholder ?? '';
      } catch (error) {
        pick.hide();
        void vscode.window.showWarningMessage(`chatls: ${messageOf(error)}`);
      }
      pick.busy = false;
    };
    const following = this.changes.event(() => void update());
    pick.onDidTriggerItemButton(({ item, button: pressed }) => void this.act(uri, item.server, actionOf(pressed)).then(update));
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      pick.hide();
      if (chosen) {
        void vscode.window.showTextDocument(pageOf(uri, chosen.server));
      }
    });
    pick.onDidHide(() => {
      following.dispose();
      pick.dispose();
    });
    pick.show();
    await update();
  }

  /** Fires if the state or the log of a server may have changed. */
  get onDidChange(): vscode.Event<undefined> {
    return this.changes.event;
  }

  /** The servers and programs of the configuration of a document, which is open. */
  async list(uri: string): Promise<ToolServer[]> {
    return (await this.command<{ servers: ToolServer[] } | undefined>('chatls.servers', { uri }))?.servers ?? [];
  }

  /** Runs one of the server's commands for a server or program. */
  async act(uri: string, { name, hash }: ToolServer, command: ServerAction): Promise<void> {
    const send = async (): Promise<unknown> => this.command(`chatls.${command}`, { uri, server: hash ?? name });
    // The server shows the progress of its runs itself.
    await orSayWhyNot(command === 'pullTools' ? send() : withProgress(`Stopping ${name}`, send, { cancellable: false }));
    this.changes.fire(undefined);
  }

  private async command<R>(command: string, argument: object): Promise<R | undefined> {
    const result: unknown = await this.server.client()?.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
    return result as R | undefined;
  }

  /** The text of a page. */
  private async page({ query }: vscode.Uri): Promise<string> {
    const { uri, name, file } = JSON.parse(query) as { uri: string; name: string; file: string };
    try {
      const found = (await this.list(uri)).find((server) => server.name === name && server.file === file);
      return found ? textOf(found) : `${file} does not name ${name} any more.\n`;
    } catch (error) {
      return `${messageOf(error)}\n`;
    }
  }
}

function actionOf(pressed: vscode.QuickInputButton): ServerAction {
  return pressed === ASK ? 'pullTools' : pressed === STOP ? 'stopServer' : 'revokeConsent';
}

/** The actions that make sense for a server in its state. */
export function actionsOf({ kind, state }: ToolServer): ServerAction[] {
  const isActive = state === 'starting' || state === 'running';
  const hasConsent = state !== 'unusable' && state !== 'noConsent';
  return [
    // Programs are tools themselves.
    ...(kind === 'server' && state !== 'unusable' ? (['pullTools'] as const) : []),
    ...(isActive ? (['stopServer'] as const) : []),
    ...(hasConsent ? (['revokeConsent'] as const) : []),
  ];
}

function entryOf(server: ToolServer): Entry {
  const { name, state, facts, reason } = server;
  return {
    label: `$(${LOOKS[state].icon}) ${name}`,
    description: wordsOf(server),
    detail: reason ?? facts.join(' · '),
    buttons: actionsOf(server).map((action) => BUTTONS[action]),
    server,
  };
}

/** `running, 3 tools`. */
export function wordsOf({ kind, state, tools, isAsked }: ToolServer): string {
  const words = kind === 'program' && state === 'stopped' ? 'a program, started for each call' : LOOKS[state].words;
  if (kind === 'server' && !isAsked && tools === undefined) {
    return `${words}, tools not known`;
  }
  return tools === undefined ? words : `${words}, ${plural(tools, 'tool')}`;
}

export function pageOf(uri: string, { name, kind, file }: ToolServer): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll('/', '_')} (tool ${kind})`, query: JSON.stringify({ uri, name, file }) });
}

function textOf(server: ToolServer): string {
  const { name, kind, file, facts, reason, hash, log } = server;
  const indent = (lines: readonly string[]): string => lines.map((line) => `  ${line}\n`).join('');
  return [
    `The ${kind} ${name}: ${wordsOf(server)}\n`,
    reason === undefined ? '' : `Reason: ${reason}\n`,
    `Named by ${file}\n`,
    facts.length === 0 ? '' : `\nWhat it starts${hash === undefined ? '' : ` (consent ${hash})`}:\n${indent(facts)}`,
    log === '' ? '' : `\nThe end of its log:\n${indent(log.trimEnd().split('\n'))}`,
  ].join('');
}
