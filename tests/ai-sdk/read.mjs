// Reads the events of documents as the AI SDK's clients do, and compares the parts of the message with what chatls says of the
// document. Run by run.sh, beside the packages.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { events, expectedParts, partsOf } from './documents.mjs';

const [binary, ...files] = process.argv.slice(2);
const readers = { 5: await import('ai-5'), 6: await import('ai-6'), 7: await import('ai-7') };

for (const file of files) {
  const expected = expectedParts(binary, file);
  for (const [version, { readUIMessageStream }] of Object.entries(readers)) {
    check(`${path.basename(file)} with ai ${version}`, await read(readUIMessageStream, events(binary, file)), expected);
    const played = await read(readUIMessageStream, events(binary, file, ['--delay', '0']));
    check(`${path.basename(file)}, played, with ai ${version}`, played, expected);
  }
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
  return partsOf(message);
}

function check(what, found, expected) {
  if (isDeepStrictEqual(found, expected)) {
    console.log(`ok: ${what}`);
    return;
  }
  process.exitCode = 1;
  console.log(`FAILED: ${what}\nread:     ${JSON.stringify(found)}\nexpected: ${JSON.stringify(expected)}`);
}
