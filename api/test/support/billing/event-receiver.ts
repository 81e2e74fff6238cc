import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

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
