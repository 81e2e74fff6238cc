import type { FastifyReply } from 'fastify';
import type { RatePolicy } from '../../config/limits.config.js';

/** Remaining requests of a limit and the time to its reset. */
export interface RateLimitState {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/** Sets the headers of the IETF draft and the `X-` headers for older clients. */
export function describeLimit(reply: FastifyReply, name: string, policy: RatePolicy, standing: RateLimitState): void {
  const reset = Math.ceil(standing.msBeforeNext / 1000);
  const remaining = Math.max(0, standing.remainingPoints);
  reply
    .header('ratelimit-policy', `"${name}";q=${policy.points};w=${policy.windowSeconds}`)
    .header('ratelimit', `"${name}";r=${remaining};t=${reset}`)
    .header('x-ratelimit-limit', String(policy.points))
    .header('x-ratelimit-remaining', String(remaining))
    .header('x-ratelimit-reset', String(reset));
}
