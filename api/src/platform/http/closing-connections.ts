import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { inMilliseconds } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';

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

/**
 * When the server closes, Node closes the connections that are idle at that moment only. One whose response is sent later would
 * stay for its keep-alive time, and a client's spare one without any request for a minute.
 */
export function closeConnectionsAtShutdown(fastify: FastifyInstance): void {
  let isClosing = false;
  const open = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  fastify.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
  fastify.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  // Headers that were sent before don't say it.
  fastify.addHook('onResponse', async () => {
    if (isClosing) setImmediate(() => fastify.server.closeIdleConnections());
  });
}
