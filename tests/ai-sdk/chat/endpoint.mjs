// `chatls events --serve`, as a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export class Endpoint {
  /** Starts serving at a free port. */
  static async start(binary, paths, options = []) {
    const child = spawn(binary, ['events', '--serve', '0', ...options, ...paths], { stdio: ['ignore', 'ignore', 'pipe'] });
    const endpoint = new Endpoint(child);
    await endpoint.listening;
    return endpoint;
  }

  constructor(child) {
    this.child = child;
    /** What it has said since it listens. */
    this.said = [];
    this.listening = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`chatls ended with ${code}: ${this.said.join('\n')}`)));
      createInterface({ input: child.stderr }).on('line', (line) => {
        this.url ??= /^(http:\/\/127\.0\.0\.1:\d+\/api\/chat) /.exec(line)?.[1];
        if (this.url === undefined) this.said.push(line);
        else if (line.startsWith(this.url)) resolve();
        else this.said.push(line);
      });
    });
  }

  async stop() {
    if (this.child.exitCode === null && this.child.kill()) await once(this.child, 'exit');
  }
}
