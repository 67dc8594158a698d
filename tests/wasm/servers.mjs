// Servers with one interface: the program of a machine, and chatls.wasm in this process.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chatls } from '../../editors/packages/npm/chatls-wasm/chatls.js';

const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    completion: { completionItem: { documentationFormat: ['markdown'], snippetSupport: true } },
    diagnostic: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    foldingRange: { foldingRange: { collapsedText: true } },
    hover: { contentFormat: ['markdown'] },
    semanticTokens: { requests: { full: true }, tokenTypes: ['function', 'string', 'property'], tokenModifiers: [], formats: ['relative'] },
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

// A folder without configurations.
export const home = mkdtempSync(join(tmpdir(), 'chatls-same-'));
const running = [];

// Ends the programs, and removes the folder.
export function end() {
  running.forEach((server) => server.kill());
  rmSync(home, { recursive: true });
}

// A program that serves.
export async function program(path) {
  const server = spawn(path, ['serve'], {
    cwd: home,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(server);
  const waiting = new Map();
  let received = Buffer.alloc(0);
  server.stdout.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const header = /Content-Length: (\d+)\r\n\r\n/.exec(received.subarray(0, 100).toString('latin1'));
      const end = header && header[0].length + Number(header[1]);
      if (header === null || received.length < end) {
        return;
      }
      const message = JSON.parse(received.subarray(header[0].length, end).toString());
      received = received.subarray(end);
      waiting.get(message.id)?.(message);
    }
  });
  const write = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const ask = (message) => new Promise((resolve) => {
    waiting.set(message.id, resolve);
    write(message);
  });
  await ask({ id: 'start', method: 'initialize', params: { processId: null, capabilities } });
  write({ method: 'initialized', params: {} });
  return { ask, notify: (method, params) => write({ method, params }) };
}

// The library, in this process.
export async function library(path) {
  const chatls = await Chatls.start(readFileSync(path), { capabilities });
  const ask = async (message) => chatls.send({ jsonrpc: '2.0', ...message })[0];
  return { ask, notify: (method, params) => chatls.notify(method, params) };
}
