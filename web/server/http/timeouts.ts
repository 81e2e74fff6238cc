import type { Server } from 'node:http';
import { inMilliseconds, TIME_LIMITS } from '@clearframe/contract';

const HEADERS_TIMEOUT_MS = inMilliseconds.seconds(30);

/** Allows slow uploads, for which Node's five minutes are too short, and drops idle connections and slow headers. */
export function configureTimeouts(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = TIME_LIMITS.request.web;
  server.setTimeout(TIME_LIMITS.silence.web);
  server.keepAliveTimeout = TIME_LIMITS.keptAlive.web;
}
