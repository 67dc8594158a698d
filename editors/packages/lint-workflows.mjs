// Says what GitHub would not take of workflows, by its own language service; ends with 1 where there is anything.
//
// lint.sh bundles this file with the service, and runs it with the names of the files.
import { readFileSync } from "node:fs";
import { validate } from "@actions/languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";

for (const file of process.argv.slice(2)) {
  const document = TextDocument.create(`file:///${file}`, "yaml", 1, readFileSync(file, "utf8"));
  for (const { range, message } of await validate(document)) {
    console.error(`${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
    process.exitCode = 1;
  }
}
