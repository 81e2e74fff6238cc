import type { FastifyReply } from 'fastify';
import type { RatePolicy } from '../config/limits.config.js';

export interface RateLimitState {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

export function setRateLimitHeaders(
  reply: FastifyReply,
  name: string,
  policy: RatePolicy,
  state: RateLimitState,
): void {
  const reset = Math.ceil(state.msBeforeNext / 1000);
  const remaining = Math.max(0, state.remainingPoints);
  reply
    .header('ratelimit-policy', `"${name}";q=${policy.points};w=${policy.windowSeconds}`)
    .header('ratelimit', `"${name}";r=${remaining};t=${reset}`)
    .header('x-ratelimit-limit', String(policy.points))
    .header('x-ratelimit-remaining', String(remaining))
    .header('x-ratelimit-reset', String(reset));
}
