import { inMilliseconds } from '../units.js';

/**
 * Milliseconds after which each process gives up, innermost first. A caller waits longer than its callee by
 * {@link TIME_LIMIT_MARGIN_MS} at least: of two equal limits the outer one would cut off the inner one's response.
 */
export const TIME_LIMITS = {
  /** A call that reads and writes rows. `web`: unless it is configured. */
  call: { web: inMilliseconds.seconds(10), browser: inMilliseconds.seconds(15) },
  /** A call about money: `api` asks a payment provider. */
  payment: { provider: inMilliseconds.seconds(20), web: inMilliseconds.seconds(30) },
  /** A connection on which nothing is sent, for instance while a client waits for a result. */
  silence: { wait: inMilliseconds.minutes(1), api: inMilliseconds.minutes(2), web: inMilliseconds.minutes(2.5) },
  /** A request as a whole: enough for the largest upload at 0.25 Mbit/s. */
  request: { api: inMilliseconds.minutes(30), web: inMilliseconds.minutes(31) },
  /** An idle connection that another request may use; its client closes it first. `web` has proxies as clients. */
  keptAlive: {
    webToApi: inMilliseconds.seconds(30),
    proxyToWeb: inMilliseconds.seconds(60),
    web: inMilliseconds.seconds(75),
  },
} as const;

/** Longest `Prefer: wait` of a route that {@link RouteSpec.waits}, in seconds. */
export const MAX_WAIT_SECONDS = TIME_LIMITS.silence.wait / inMilliseconds.seconds(1);

export const TIME_LIMIT_MARGIN_MS = inMilliseconds.seconds(5);
