import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

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
