import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Faults } from '../../../../../sandbox/src/core/faults.js';

/** Ids have digits or capitals, names of routes don't. */
const operationOf = ({ method, url = '' }: IncomingMessage): string => {
  const [, version, ...parts] = new URL(url, 'http://provider').pathname.split('/');
  return `${method} /${[version, ...parts.map((part) => (/[A-Z\d]/.test(part) ? '{id}' : part))].join('/')}`;
};

/** Stands between the product and a server: the sandbox's faults, on any server. */
export class FaultProxy {
  readonly faults = new Faults();

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async start(target: string): Promise<FaultProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultProxy(server, target);
    server.on('request', (incoming, reply) => {
      proxy.answer(incoming, reply).catch(() => incoming.socket.destroy());
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const operation = operationOf(incoming);
    const isToken = operation === 'POST /v1/oauth2/token';
    const fault = isToken ? null : this.faults.take(operation);
    const hold = isToken ? () => Promise.resolve() : this.faults.takeHold(operation);
    if (fault?.kind === 'drop') {
      incoming.socket.destroy();
      return;
    }
    const body = Buffer.concat(await incoming.toArray());
    if (fault?.kind === 'error') {
      reply.writeHead(fault.status ?? 500, { 'content-type': 'application/json' }).end('{"error":{}}');
      return;
    }
    const response = await this.forward(incoming, body);
    const text = Buffer.concat(await response.toArray());
    await hold();
    if (fault?.kind === 'drop_after') {
      incoming.socket.destroy();
      return;
    }
    if (fault?.kind === 'delay') await delay(fault.delayMs ?? 0);
    reply.writeHead(response.statusCode ?? 500, response.headers).end(text);
  }

  private async forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const sending = request(new URL(url ?? '/', this.target), { method, headers, agent: false });
    sending.end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return response;
  }
}
