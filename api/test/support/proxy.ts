import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './ports.js';

/**
 * Stands between the application and a store, so that the store can be taken away and given back without touching the
 * one that other tests are using.
 */
export class StoreProxy {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly port: number,
  ) {}

  static async before(url: string): Promise<StoreProxy> {
    const proxy = new StoreProxy(new URL(url), await freePort());
    await proxy.giveBack();
    return proxy;
  }

  /** The store's address by way of here. */
  get url(): string {
    const address = new URL(this.target);
    address.host = `127.0.0.1:${this.port}`;
    return address.href;
  }

  /** Breaks every connection and takes no new ones. */
  async takeAway(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async giveBack(): Promise<void> {
    if (this.server) return;
    const server = createServer((inbound) => {
      const outbound = connect(Number(this.target.port), this.target.hostname);
      for (const [from, to] of [
        [inbound, outbound],
        [outbound, inbound],
      ] as const) {
        this.sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
  }
}
