import type { FastifyReply } from 'fastify';
import type { RatePolicy } from '../../config/limits.config.js';

/** How much of a limit somebody has left, and when it is whole again. */
export interface RateStanding {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/** Both families of headers: the IETF draft's structured ones and the `X-` ones that older clients read. */
export function describeLimit(reply: FastifyReply, name: string, policy: RatePolicy, standing: RateStanding): void {
  const reset = Math.ceil(standing.msBeforeNext / 1000);
  const remaining = Math.max(0, standing.remainingPoints);
  reply
    .header('ratelimit-policy', `"${name}";q=${policy.points};w=${policy.windowSeconds}`)
    .header('ratelimit', `"${name}";r=${remaining};t=${reset}`)
    .header('x-ratelimit-limit', String(policy.points))
    .header('x-ratelimit-remaining', String(remaining))
    .header('x-ratelimit-reset', String(reset));
}
