// Reads the events of documents as the AI SDK's clients do, and compares the parts of the message with what `chatls calls`
// says of the document. Run by run.sh, beside the packages.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const [binary, ...files] = process.argv.slice(2);
const readers = { 5: await import('ai-5'), 6: await import('ai-6'), 7: await import('ai-7') };
/** What readers know; other states are written, and not said by the stream. */
const STATES = ['input-available', 'output-available', 'output-error'];

for (const file of files) {
  const expected = toolsOf(file);
  for (const [version, { readUIMessageStream }] of Object.entries(readers)) {
    const { parts, texts } = await read(readUIMessageStream, events(file, []));
    check(`${path.basename(file)} with ai ${version}`, parts, expected);
    const played = await read(readUIMessageStream, events(file, ['--delay', '0']));
    check(`${path.basename(file)}, played, with ai ${version}`, played, { parts, texts });
  }
}

function lines(command, file) {
  const text = execFileSync(binary, [...command, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

function events(file, options) {
  return lines(['events', ...options], file);
}

/** The tool parts that a reader should make: of one id there is one, that of the last call with it. */
function toolsOf(file) {
  const seen = new Set(events(file, []).map(({ toolCallId }) => toolCallId));
  const parts = new Map();
  for (const call of lines(['calls'], file)) {
    if (call.kind === 'result' || !seen.has(call.toolCallId)) continue;
    const failed = call.errorText !== undefined || call.state === 'output-error';
    const done = call.output !== undefined || call.state === 'output-available';
    const state = failed ? STATES[2] : done ? STATES[1] : STATES[0];
    parts.set(call.toolCallId, {
      name: call.toolName ?? 'tool',
      id: call.toolCallId,
      state,
      input: call.input ?? {},
      ...(state === STATES[1] && { output: call.output ?? null }),
      ...(state === STATES[2] && { errorText: call.errorText ?? 'An unknown tool error occurred.' }),
    });
  }
  return [...parts.values()];
}

async function read(readUIMessageStream, chunks) {
  const stream = new ReadableStream({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
  let message;
  const onError = (error) => {
    throw error;
  };
  for await (message of readUIMessageStream({ stream, onError, terminateOnError: true }));
  const all = message?.parts ?? [];
  return {
    texts: all.filter(({ type }) => type === 'text').map(({ text }) => text),
    parts: all.filter(({ type }) => type.startsWith('tool-')).map((part) => ({
      name: part.type.slice('tool-'.length),
      id: part.toolCallId,
      state: part.state,
      input: part.input,
      ...(part.state === STATES[1] && { output: part.output }),
      ...(part.state === STATES[2] && { errorText: part.errorText }),
    })),
  };
}

function check(what, found, expected) {
  if (isDeepStrictEqual(found, expected)) {
    console.log(`ok: ${what}`);
    return;
  }
  process.exitCode = 1;
  console.log(`FAILED: ${what}\nread:     ${JSON.stringify(found)}\nexpected: ${JSON.stringify(expected)}`);
}
