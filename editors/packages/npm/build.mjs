#!/usr/bin/env node
// Packs the npm packages: `chatls`, a launcher, and the one that carries the program for a target; or
// `chatls-wasm`, the library.
//
//   editors/packages/npm/build.mjs --target TARGET --binary BINARY --out FOLDER
//   editors/packages/npm/build.mjs --out FOLDER          only the launcher
//   editors/packages/npm/build.mjs --wasm CHATLS_WASM --out FOLDER
//
// TARGET is one of ../targets.json. Versions are those of Cargo.toml. The names of the tarballs are printed.
// Needs npm; nothing is downloaded.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const project = path.resolve(here, "../../..");
const targets = JSON.parse(fs.readFileSync(path.join(here, "../targets.json"), "utf8"));
const template = JSON.parse(fs.readFileSync(path.join(here, "chatls/package.json"), "utf8"));
const version = versionOfCargo();

try {
  main();
} catch (error) {
  console.error(`build.mjs: ${error.message}`);
  process.exitCode = 1;
}

function main() {
  const option = { type: "string" };
  const { out, target, binary, wasm } = parseArgs({
    options: { out: option, target: option, binary: option, wasm: option },
  }).values;
  if (!out || Boolean(target) !== Boolean(binary)) {
    throw new Error("usage: build.mjs [--target TARGET --binary BINARY | --wasm CHATLS_WASM] --out FOLDER");
  }
  fs.mkdirSync(out, { recursive: true });
  if (wasm) {
    packInto(out, (folder) => stageLibrary(folder, wasm));
    return;
  }
  if (target) {
    packInto(out, (folder) => stageProgram(folder, target, binary));
  }
  packInto(out, stageLauncher);
}

function stageLauncher(folder) {
  fs.cpSync(path.join(here, "chatls"), folder, { recursive: true });
  const names = Object.values(targets).map((target) => `@chatls/${target.npm.name}`);
  writeManifest(folder, {
    ...template,
    version,
    // Exactly this version: launcher and program are released together.
    optionalDependencies: Object.fromEntries(names.sort().map((name) => [name, version])),
  });
}

function stageProgram(folder, target, binary) {
  if (!(target in targets)) {
    throw new Error(`unknown target ${target}; known are: ${Object.keys(targets).join(", ")}`);
  }
  const { name, os, cpu, libc } = targets[target].npm;
  const file = os === "win32" ? "chatls.exe" : "chatls";
  fs.mkdirSync(path.join(folder, "bin"));
  fs.copyFileSync(binary, path.join(folder, "bin", file));
  fs.chmodSync(path.join(folder, "bin", file), 0o755);
  writeManifest(folder, {
    name: `@chatls/${name}`,
    version,
    description: `The program of the package chatls for ${target}`,
    license: template.license,
    repository: template.repository,
    files: template.files,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    // A program inside an archive cannot be started (Yarn's Plug'n'Play keeps packages zipped).
    preferUnplugged: true,
    // Scoped packages are private unless they say so.
    publishConfig: { access: "public" },
  });
}

function stageLibrary(folder, wasm) {
  const from = path.join(here, "chatls-wasm");
  const manifest = JSON.parse(fs.readFileSync(path.join(from, "package.json"), "utf8"));
  fs.copyFileSync(wasm, path.join(folder, "chatls.wasm"));
  writeManifest(folder, { ...manifest, version });
  fs.cpSync(from, folder, { recursive: true, filter: (file) => !file.endsWith("package.json") });
}

function writeManifest(folder, manifest) {
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  fs.copyFileSync(path.join(here, "../about.md"), path.join(folder, "README.md"));
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    fs.copyFileSync(path.join(project, file), path.join(folder, file));
  }
}

function packInto(out, stage) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "chatls-npm-"));
  try {
    stage(folder);
    const command = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", path.resolve(out)];
    const told = execFileSync("npm", command, { cwd: folder, encoding: "utf8" });
    const [packed] = Object.values(JSON.parse(told));
    console.log(path.join(out, packed.filename.replace("@", "").replace("/", "-")));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function versionOfCargo() {
  const manifest = fs.readFileSync(path.join(project, "Cargo.toml"), "utf8");
  // The first one is the package's own.
  return /^version = "([^"]+)"$/m.exec(manifest)[1];
}
