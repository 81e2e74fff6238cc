import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

interface DroppedResponseProxy {
  readonly url: string;
  /** Forwards requests again. */
  restore(): void;
  stop(): Promise<void>;
}

/**
 * A proxy that forwards requests. At the first response to `operation` (`POST /v1/subscriptions`) it calls `onLost` and
 * closes the connection instead of responding, then every other one until it is restored: a restarted sandbox may be
 * faster than the client's next attempt.
 */
export async function startDroppedResponseProxy(
  target: string,
  operation: string,
  onLost: () => void,
): Promise<DroppedResponseProxy> {
  let isLost = false;
  let isCut = false;
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (isCut) {
      response.destroy();
      return;
    }
    const { method, url = '/', headers } = incoming;
    const outgoing = request(new URL(url, target), { method, headers }, (answer) => {
      if (!isLost && `${method} ${url}` === operation) {
        isLost = true;
        isCut = true;
        onLost();
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    outgoing.once('error', () => response.destroy());
    pipeline(incoming, outgoing, () => undefined);
  };
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    restore: () => {
      isCut = false;
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
