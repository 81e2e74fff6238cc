import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ERRORS, PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';

/**
 * Answers what is not HTTP, or whose headers are larger than any of ours: no request came of it, so nothing else in the
 * server hears of it.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // Whoever has hung up hears no answer.
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
