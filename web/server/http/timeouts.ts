import type { Server } from 'node:http';
import { inMilliseconds } from '@clearframe/contract';

/** The largest picture over a quarter of a megabit a second. */
const REQUEST_MS = inMilliseconds.minutes(30);
/** Longest silence; longer than any answer of the backend takes. */
const SILENCE_MS = inMilliseconds.minutes(2);
const HEADERS_MS = inMilliseconds.seconds(30);

/**
 * A slow line may take its time with a large picture, for which Node's own five minutes are too short. Who sends nothing
 * at all, or drips its headers, only holds a connection.
 */
export function limitSlowness(server: Server): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.setTimeout(SILENCE_MS);
}
