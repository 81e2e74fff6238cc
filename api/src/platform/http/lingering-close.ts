import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { inMilliseconds } from '@clearframe/contract';

/** How long a client may go on sending after it was answered. */
const LINGER_MS = inMilliseconds.seconds(2);

/**
 * Where a response closes the connection before the request has been read, ends the own side only and reads on for a
 * while. Closed at once, the connection would be reset, and a client that is still sending would lose the response.
 */
export function closeLingering(server: Server): void {
  const unread = new WeakMap<Socket, IncomingMessage>();
  server.on('request', (request: IncomingMessage) => unread.set(request.socket, request));
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls it at the end of the last response.
    socket.destroySoon = () => {
      if (unread.get(socket)?.complete !== false) return destroySoon();
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => clearTimeout(timer));
    };
  });
}
