// node scripts/settings.mjs [--check]: writes the settings of package.json from the JSON Schema of chatls.toml.
// The first group of settings is the extension's own and stays; the others are made anew. With --check nothing is
// written, and the status is 1 where package.json is not up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const schema = JSON.parse(readFileSync('../chatls.schema.json', 'utf8'));
const written = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(written);

const GROUPS = [
  { title: 'Documents and tools', keys: ['enable', 'tools', 'protocol', 'include', 'exclude', 'override', 'fence', 'turns'] },
  { title: 'Appearance and format', keys: ['hints', 'lenses', 'format'] },
  { title: 'Diagnostics', keys: ['lint'] },
];
const grouped = GROUPS.flatMap(({ keys }) => keys);
// Keys of files only: they say how a file stands to others.
const OF_FILES = ['extends', 'root'];
const known = [...grouped, ...OF_FILES];
const forgotten = Object.keys(schema.properties).filter((key) => !known.includes(key));
if (forgotten.length > 0) {
  console.error(`settings: ${forgotten.join(', ')} of the schema: say in scripts/settings.mjs to which group they belong`);
  process.exit(2);
}

const [own] = manifest.contributes.configuration;
manifest.contributes.configuration = [own, ...GROUPS.map(group)];
const fresh = `${JSON.stringify(manifest, null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (fresh !== written) {
    console.error('settings: package.json is not up to date: run `npm run settings`');
    process.exit(1);
  }
} else {
  writeFileSync('package.json', fresh);
}

function group({ title, keys }) {
  const all = keys.flatMap((key) => settings(`chatls.${key}`, resolve(schema.properties[key])));
  const properties = Object.fromEntries(all.map(([name, value], order) => [name, { order, ...value }]));
  return { title, properties };
}

/** The settings of a key: one for each of its own keys where it is a table. */
function settings(name, value) {
  if (value.properties) {
    return Object.entries(value.properties).flatMap(([key, inner]) => settings(`${name}.${key}`, resolve(inner)));
  }
  return [[name, { scope: 'resource', ...shape(value), ...words(value) }]];
}

/** What the settings editor can draw: lists without their short form. */
function shape({ anyOf, enum: choices, ...value }) {
  if (anyOf) {
    const list = anyOf.find(({ type }) => type === 'array');
    return { type: 'array', items: list.items, default: value.default ?? [] };
  }
  if (choices) {
    return { type: 'string', enum: choices, default: value.default };
  }
  const { type, items, minimum, maximum } = value;
  const limits = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return { type, ...(items && { items: inlined(items) }), ...limits, default: value.default ?? [] };
}

/** A value of the schema without references, which a manifest cannot have. */
function inlined(value) {
  const { anyOf, properties, description, ...rest } = resolve(value);
  const inner = properties && Object.fromEntries(Object.entries(properties).map(([key, it]) => [key, inlined(it)]));
  const list = anyOf?.find(({ type }) => type === 'array');
  return { ...rest, ...list, ...(description && { description: elsewhere(description) }), ...(inner && { properties: inner }) };
}

function words({ description }) {
  return { markdownDescription: elsewhere(description) };
}

/** Settings stand in no file of the documents' folder. */
function elsewhere(description) {
  return description.replaceAll('relative to this file', 'relative to the workspace folder');
}

function resolve(value) {
  const reference = value.$ref ?? value.allOf?.[0].$ref;
  return reference ? { ...reference.slice(2).split('/').reduce((at, key) => at[key], schema), description: value.description } : value;
}
