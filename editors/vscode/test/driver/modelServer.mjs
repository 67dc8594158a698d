// A server like that of a model, on loopback: it streams the answers that a test has prepared.
import { createServer } from 'node:http';

/**
 * Each request gets the next of `answers`: {text, call?: {name, arguments}, holds?}. One that holds
 * goes on with that text, and does not end.
 */
export async function modelServer(answers) {
  const left = [...answers];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { text, call, holds } = left.shift();
      const send = (delta, end = null) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send({ content: text });
      if (call) {
        send({ tool_calls: [{ index: 0, id: `call_${left.length}`, type: 'function', function: call }] });
      }
      if (holds) {
        // What has come is written with what comes later.
        setTimeout(send, 500, { content: holds });
      } else {
        send({}, call ? 'tool_calls' : 'stop');
        response.end('data: [DONE]\n\n');
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1/chat/completions`, close };
}
