#!/usr/bin/env node
// Starts the chatls of this platform: it comes in a package of its own, an optional dependency of this one.
//
// What it reads and writes is the terminal's or the editor's own (stdio is inherited, so LSP passes untouched),
// signals are handed on, and it ends as the program ends. CHATLS_BINARY names another binary. Where install scripts run,
// install.js puts the program itself in the place of bin/chatls, and this starts nothing.
"use strict";

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");

const { optionalDependencies } = require("../package.json");

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGBREAK"];
/** The exit status of chatls itself where the work could not be done. */
const NOT_DONE = 2;

module.exports = { installed, main };

if (require.main === module) {
  main();
}

function main() {
  const binary = process.env.CHATLS_BINARY || installed();
  if (binary) {
    run(binary, process.argv.slice(2));
  } else {
    fail(whyMissing());
  }
}

function run(binary, args) {
  let child;
  const handOn = (signal) => child.kill(signal);
  // Before there is a program, so that no signal ends this process alone: they are delivered when this function is done.
  for (const signal of SIGNALS) {
    try {
      process.on(signal, handOn);
    } catch {
      // This platform does not know it.
    }
  }
  child = spawn(binary, args, { stdio: "inherit", windowsHide: true });
  child.on("error", (error) => fail(whyNotStarted(binary, error)));
  child.on("exit", (status, signal) => {
    SIGNALS.forEach((name) => process.removeListener(name, handOn));
    if (signal) {
      // So that whoever waits for this process sees the same end.
      process.kill(process.pid, signal);
    } else {
      process.exitCode = status;
    }
  });
}

/** The path of the binary, if its package is installed. */
function installed() {
  const names = candidates();
  const binaries = names.map(binaryOf).filter(Boolean);
  // Package managers that do not know the field `libc` install both kinds: a static one runs everywhere.
  return binaries.length > 1 && !hasGlibc() ? binaries[binaries.length - 1] : binaries[0];
}

/** The packages for this platform, those for glibc before those for musl. */
function candidates() {
  const name = `@chatls/cli-${process.platform}-${process.arch}`;
  return [name, `${name}-musl`].filter((candidate) => candidate in optionalDependencies);
}

function binaryOf(name) {
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`));
    const binary = path.join(folder, "bin", process.platform === "win32" ? "chatls.exe" : "chatls");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

function hasGlibc() {
  process.report.excludeNetwork = true;
  return Boolean(process.report.getReport().header.glibcVersionRuntime);
}

function whyMissing() {
  const platform = `${process.platform} ${process.arch}`;
  const names = candidates();
  if (names.length === 0) {
    return `there is no package for ${platform}.
Build it with Rust (\`cargo install chatls\`), and name the binary in the variable CHATLS_BINARY.`;
  }
  return `the package with the program for ${platform} is not installed (${names.join(" or ")}).
It is an optional dependency of \`chatls\`. Install again without \`--no-optional\` or \`--omit=optional\`; if
node_modules or the lock file come from another platform, remove them first.`;
}

function whyNotStarted(binary, error) {
  const hint = {
    ENOENT: "Either it is not there, or the C library that it was built for is not.",
    EACCES: "It may not be executed: look at its permissions, and whether its file system is mounted with noexec.",
    ENOEXEC: "It was built for another platform.",
  };
  return `${binary} does not start (${error.code || error.message}).\n${hint[error.code] || ""}`.trimEnd();
}

function fail(message) {
  console.error(`chatls: ${message}`);
  process.exitCode = NOT_DONE;
}
