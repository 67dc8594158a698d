// Passes the UI messages that `chatls convert --to ai-sdk` writes to the AI SDK: its validation must accept them, and
// the messages for models that it makes of them must have the same calls and results. Run by run.sh, beside the packages.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const [binary, ...files] = process.argv.slice(2);
const packages = { 5: await import('ai-5'), 6: await import('ai-6'), 7: await import('ai-7') };

for (const file of files) {
  for (const messages of converted(file)) {
    for (const [version, ai] of Object.entries(packages)) {
      const found = await problem(ai, messages);
      console.log(`${found ? 'FAILED' : 'ok'}: messages of ${path.basename(file)} with ai ${version}`);
      if (found) {
        process.exitCode = 1;
        console.log(found);
      }
    }
  }
}

/** The conversations of a document; none if it is left out: it has no messages, or calls that no form can express. */
function converted(file) {
  try {
    const written = execFileSync(binary, ['convert', '--lossy', '--to', 'ai-sdk', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    // Several conversations are lines.
    const text = written.toString();
    return text.startsWith('[\n') ? [JSON.parse(text)] : text.trim().split('\n').map((line) => JSON.parse(line));
  } catch (error) {
    if (error.status === 2 && error.stderr.includes('is left out')) return [];
    throw error;
  }
}

/** What the SDK does not accept, or reads otherwise. */
async function problem(ai, messages) {
  const checked = await ai.safeValidateUIMessages({ messages });
  if (!checked.success) return `not valid: ${checked.error.message}`;
  await ai.validateUIMessages({ messages });
  const parts = (await ai.convertToModelMessages(messages)).flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const written = messages.flatMap((message) => message.parts).filter((part) => part.type.startsWith('tool-'));
  const calls = written.map((part) => [part.toolCallId, part.type.slice('tool-'.length), part.input]);
  const read = parts.filter((part) => part.type === 'tool-call').map((part) => [part.toolCallId, part.toolName, part.input]);
  if (!isDeepStrictEqual(read, calls)) return `calls: ${JSON.stringify(read)}\nwritten: ${JSON.stringify(calls)}`;
  const ended = written.filter((part) => part.state.startsWith('output-'));
  const results = ended.map((part) => [part.toolCallId, outputOf(part)]);
  const found = parts.filter((part) => part.type === 'tool-result').map((part) => [part.toolCallId, part.output]);
  if (!isDeepStrictEqual(found, results)) return `results: ${JSON.stringify(found)}\nwritten: ${JSON.stringify(results)}`;
}

/** The output of a message for a model. */
function outputOf({ state, output, errorText }) {
  if (state === 'output-error') return { type: 'error-text', value: errorText };
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output };
}
