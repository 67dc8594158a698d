// The licences of the packages in bundles.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The texts, by the folders of the packages. `inputs`: the files of a bundle, relative to `root`. */
export function licencesOf(inputs, root) {
  const folders = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter((folder) => folder !== undefined);
  return new Map([...new Set(folders)].sort().map((folder) => [folder, licenceOf(path.join(root, folder))]));
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (file === undefined) {
    throw new Error(`${name} has no licence file`);
  }
  return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
}
