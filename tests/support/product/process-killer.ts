import { until } from '../until.ts';
import type { Product, ServiceName } from './product.ts';

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
