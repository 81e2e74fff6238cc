import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../../runtime/test/ports.js';

export interface ReceivedEvent {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** An address for Stripe's webhooks that keeps what it gets. */
export class EventReceiver {
  readonly events: ReceivedEvent[] = [];
  private readonly server: Server = createServer((request, response) => {
    const store = (body: Buffer): void => {
      this.events.push({ body, headers: request.headers });
      response.end();
    };
    buffer(request).then(store, () => response.destroy());
  });

  static async start(): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** @param id of the event's object, or of its payment */
  eventAbout(type: string, id: string): ReceivedEvent {
    const found = this.events.find(({ body }) => {
      const event = JSON.parse(body.toString());
      return event.type === type && (event.data.object.id === id || event.data.object.payment_intent === id);
    });
    if (!found) throw new Error(`no ${type} about ${id} was received`);
    return found;
  }

  stop(): void {
    this.server.close();
  }
}

export interface Delivery {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

interface EventObject {
  readonly id: string;
  readonly parent?: { readonly subscription_details?: { readonly subscription: string } };
}

const subjectOf = ({ id, parent }: EventObject): string => parent?.subscription_details?.subscription ?? id;

/** Receives webhooks of the provider. Responds with 204 unless told otherwise. */
export class WebhookReceiver {
  readonly deliveries: Delivery[] = [];
  private readonly refusals: number[] = [];
  private released: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<WebhookReceiver> {
    const port = await freePort();
    const server = createServer();
    const receiver = new WebhookReceiver(server, `http://127.0.0.1:${port}/hook`);
    server.on('request', async (request, response) => {
      receiver.deliveries.push({ body: Buffer.concat(await request.toArray()), headers: request.headers });
      await receiver.released;
      response.writeHead(receiver.refusals.shift() ?? 204).end();
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  /** Leaves deliveries unanswered. @returns answers them, and later ones */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.released = promise;
    return resolve;
  }

  rejectNext(...statuses: number[]): void {
    this.refusals.push(...statuses);
  }

  deliveriesFor(subjectId: string): { id: string; type: string; delivery: Delivery }[] {
    return this.deliveries
      .map((delivery) => ({ delivery, ...JSON.parse(delivery.body.toString()) }))
      .filter(({ data: { object } }) => subjectOf(object) === subjectId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
