import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ERRORS, PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';

/** For malformed HTTP and oversized headers, for which Fastify creates no request. */
export function respondToClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // The client has disconnected.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const requestId = randomUUID();
  const code = 'request.malformed';
  const body = JSON.stringify(toWire(Problem, problemOf(code, requestId)));
  socket.end(
    [
      `HTTP/1.1 ${ERRORS[code].status} Bad Request`,
      `content-type: ${PROBLEM_CONTENT_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
