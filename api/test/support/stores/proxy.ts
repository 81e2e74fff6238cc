import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../../../runtime/test/ports.js';

/** A TCP proxy that makes a store unreachable for one application, without stopping the server that other tests use. */
export class StoreProxy {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly port: number,
  ) {}

  static async before(url: string): Promise<StoreProxy> {
    const proxy = new StoreProxy(new URL(url), await freePort());
    await proxy.reconnect();
    return proxy;
  }

  get url(): string {
    const address = new URL(this.target);
    address.host = `127.0.0.1:${this.port}`;
    return address.href;
  }

  async disconnect(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async reconnect(): Promise<void> {
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
