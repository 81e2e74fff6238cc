import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly violations: readonly unknown[];
}

export class ServerProcess {
  private constructor(
    readonly url: string,
    /** Without reading the log. */
    readonly end: () => Promise<void>,
  ) {}

  /** @param script started with `--port` and the options; prints a line when it listens */
  static async start(script: string, port: number, options: readonly string[]): Promise<ServerProcess> {
    const child = spawn(process.execPath, [script, '--port', String(port), ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout });
    await Promise.race([
      once(lines, 'line'),
      exited.then(([code]) => {
        throw new Error(`${script} ended with ${code}`);
      }),
    ]);
    return new ServerProcess(`http://127.0.0.1:${port}`, async () => {
      child.kill();
      await exited;
    });
  }

  async control<Reply = unknown>(path: string, body?: object): Promise<Reply> {
    const response = await fetch(`${this.url}/_control${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
    return JSON.parse(text) as Reply;
  }

  /** @returns the number of requests @throws Error when one violated the API description */
  async stop(): Promise<number> {
    const log = await this.control<LoggedRequest[]>('/log').finally(() => this.end());
    const violations = log.filter((request) => request.violations.length > 0);
    if (violations.length > 0) throw new Error(`requests violate the API description: ${JSON.stringify(violations)}`);
    return log.length;
  }
}
