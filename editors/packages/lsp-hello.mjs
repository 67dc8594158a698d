#!/usr/bin/env node
// Starts a language server as an editor does, and goes through its life: initialize, shutdown, exit.
//
//   editors/packages/lsp-hello.mjs COMMAND [ARGUMENT…]
//
// Prints the server's name and version. Ends with 1 where it does not answer within 20 seconds, answers with an
// error, writes anything else to stdout, or does not end with the status 0.
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const deadline = setTimeout(() => fail("no answer within 20 seconds"), 20_000);
let unread = Buffer.alloc(0);
let greeted = false;

server.on("error", (error) => fail(error.message));
server.on("exit", (status, signal) => {
  clearTimeout(deadline);
  if (signal || status !== 0 || !greeted) {
    fail(`ended ${greeted ? "" : "without an answer, "}with ${signal ?? `the status ${status}`}`);
  }
});
server.stdin.on("error", () => {}); // it is gone, which the event above tells
server.stdout.on("data", (bytes) => {
  unread = Buffer.concat([unread, bytes]);
  for (let message = take(); message; message = take()) {
    answer(message);
  }
});
send({ id: 1, method: "initialize", params: { processId: process.pid, rootUri: null, capabilities: {} } });

function answer(message) {
  if (message.error) {
    fail(`answered with an error: ${message.error.message}`);
  } else if (message.id === 1) {
    const { name, version } = message.result?.serverInfo ?? fail("does not say what it is");
    greeted = true;
    console.log(`${name} ${version}`);
    send({ method: "initialized", params: {} });
    send({ id: 2, method: "shutdown" });
  } else if (message.id === 2) {
    send({ method: "exit" });
    server.stdin.end();
  }
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** The next whole message, if there is one. */
function take() {
  const head = unread.indexOf("\r\n\r\n");
  if (head < 0) {
    return undefined;
  }
  const length = /^Content-Length: (\d+)$/im.exec(unread.subarray(0, head).toString());
  if (!length) {
    fail(`wrote what is not LSP: ${unread.subarray(0, 200)}`);
  }
  const end = head + 4 + Number(length[1]);
  if (unread.length < end) {
    return undefined;
  }
  const message = JSON.parse(unread.subarray(head + 4, end).toString());
  unread = unread.subarray(end);
  return message;
}

function fail(reason) {
  console.error(`lsp-hello.mjs: ${[command, ...args].join(" ")}: ${reason}`);
  server.kill();
  process.exit(1);
}
