// Puts the program itself in the place of bin/chatls, so that no Node.js has to start before it.
//
// It is a hard link to the file in the package of this platform, or a copy where there can be none. Where that cannot be done, or
// install scripts do not run, bin/chatls stays the script that starts the program; so nothing here fails an installation.
"use strict";

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const { installed } = require("./bin/chatls.js");
const { version } = require("./package.json");

try {
  main();
} catch (error) {
  console.error(`chatls: bin/chatls stays a script: ${error.message}`);
}

function main() {
  // On Windows npm starts what "bin" names with Node.js, and under Plug'n'Play packages are in archives.
  if (process.platform === "win32" || process.versions.pnp || process.env.CHATLS_BINARY) {
    return;
  }
  const binary = installed();
  if (!binary) {
    return;
  }
  const place = path.join(__dirname, "bin", "chatls");
  const beside = `${place}.${process.pid}.tmp`;
  try {
    link(binary, beside);
    fs.chmodSync(beside, 0o755);
    const said = execFileSync(beside, ["--version"], { encoding: "utf8", timeout: 10_000 }).trim();
    if (said !== `chatls ${version}`) {
      throw new Error(`${binary} is ${said}, not chatls ${version}`);
    }
    fs.renameSync(beside, place);
  } finally {
    fs.rmSync(beside, { force: true });
  }
}

function link(binary, place) {
  try {
    fs.linkSync(binary, place);
  } catch {
    // Another file system, or one without links.
    fs.copyFileSync(binary, place);
  }
}
