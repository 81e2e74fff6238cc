import type { Server } from 'node:http';
import { inMilliseconds } from '@clearframe/contract';

/** Enough for the largest upload at 0.25 Mbit/s. */
const REQUEST_TIMEOUT_MS = inMilliseconds.minutes(30);
/** Longer than any backend response takes. */
const IDLE_TIMEOUT_MS = inMilliseconds.minutes(2);
const HEADERS_TIMEOUT_MS = inMilliseconds.seconds(30);

/** Allows slow uploads, for which Node's five minutes are too short, and drops idle connections and slow headers. */
export function configureTimeouts(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.setTimeout(IDLE_TIMEOUT_MS);
}
