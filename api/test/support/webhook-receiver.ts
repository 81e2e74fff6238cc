import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { until } from './until.js';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  readonly event: any;
}

export const idOf = ({ headers }: Received): string => String(headers['webhook-id']);

/** A customer's server. Answers 200 until a test says otherwise. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: (request: IncomingMessage, reply: ServerResponse) => void = (_request, reply) => reply.end('thanks');
  private readonly server = createServer((request, reply) => void this.receive(request, reply));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  private async receive(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await text(request);
    this.received.push({ headers: request.headers, body, event: body && JSON.parse(body) });
    this.answer(request, reply);
  }

  /** Answers with these statuses in turn, then with 200. */
  answerWith(...statuses: readonly number[]): void {
    const left = [...statuses];
    this.answer = (_request, reply) => reply.writeHead(left.shift() ?? 200).end();
  }

  /** Waits for the requests of a type. */
  async of(type: string, count = 1): Promise<Received[]> {
    const found = () => this.received.filter(({ event }) => event.type === type);
    await until(() => found().length >= count, `${count} of ${type}`);
    return found();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** @throws for a message that the secret has not signed */
export const verify = (secret: string, { headers, body }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
