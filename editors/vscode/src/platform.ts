/** What only a machine has: processes and their files. In a browser, web/platform.ts takes its place. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import * as os from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/node';
import { findServer, type Found } from './lookup';

/** The sources of documents: not diffs and histories, which would be checked twice. */
export const SCHEMES = ['file', 'untitled', 'vscode-vfs'];

/** Calls `each` with each line, until the last. */
export type Lines = (each: (line: string) => void) => Promise<unknown>;

/** A client that starts the program `command`, and gets the lines of its stderr. */
export class PlatformClient extends LanguageClient {
  constructor(command: string, readErrors: (lines: Lines) => void, options: LanguageClientOptions) {
    const stderr = (stream: Readable): void => {
      readErrors(async (each) => once(createInterface({ input: stream }).on('line', each), 'close'));
    };
    const executable = { command, args: ['serve'], options: { env: environment() } };
    super('chatls', 'chatls', executable, { ...options, stdioOptions: { stdout: () => undefined, stderr } });
  }
}

/** Finds the server. */
export function find(context: vscode.ExtensionContext): Found {
  return findServer({
    setting: vscode.workspace.getConfiguration('chatls').get<string>('path', ''),
    extension: context.extensionPath,
    workspace: vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
    home: os.homedir(),
    platform: process.platform,
    env: process.env,
  });
}

/** Writes a `chatls.toml` into `folder`; the error is the reason why not. */
export async function writeConfig(command: string, folder: vscode.Uri): Promise<void> {
  await promisify(execFile)(command, ['init', folder.fsPath]).catch((error: unknown) => {
    throw new Error((error as { stderr?: string }).stderr ?? String(error));
  });
}

/** The editor's environment, with `CHATLS_LOG` as set by the setting, if it is set. */
function environment(): NodeJS.ProcessEnv {
  const level = vscode.workspace.getConfiguration('chatls').get<string>('logLevel', 'default');
  return level === 'default' ? process.env : { ...process.env, CHATLS_LOG: level };
}
