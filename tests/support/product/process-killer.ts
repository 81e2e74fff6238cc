import { readFile } from 'node:fs/promises';
import type { Product, ServiceName } from './product.ts';
import { until } from './until.ts';

/** Kills services of a product as a crash would; its launcher starts them again. */
export class ProcessKiller {
  private readonly product: Product;

  constructor(product: Product) {
    this.product = product;
  }

  /** Returns its process id. */
  async kill(name: ServiceName): Promise<number> {
    const pid = await this.product.pidOf(name);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /** Kills a process that a service has started, by a part of its command. Returns its id. Linux only. */
  async killChild(name: ServiceName, command: string): Promise<number> {
    const parent = await this.product.pidOf(name);
    const ids = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).split(' ').filter(Boolean);
    for (const id of ids) {
      if (!(await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).includes(command)) continue;
      process.kill(Number(id), 'SIGKILL');
      return Number(id);
    }
    throw new Error(`${name} has started no ${command}`);
  }

  /** @param dead the process id before */
  untilReplaced(name: ServiceName, dead: number): Promise<unknown> {
    return until(`${name} is back`, async () => (await this.product.pidOf(name)) !== dead);
  }

  /** Kills a service and waits for its next process; for `web` until it answers. */
  async replace(name: ServiceName): Promise<number> {
    const dead = await this.kill(name);
    await this.untilReplaced(name, dead);
    if (name === 'web')
      await until('web answers', async () => (await fetch(`${this.product.url}/healthz`).catch(() => null))?.ok);
    return dead;
  }
}
