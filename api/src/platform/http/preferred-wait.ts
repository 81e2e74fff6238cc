import { inMilliseconds, MAX_WAIT_SECONDS } from '@clearframe/contract';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a client waits for a result. */
export interface Wait {
  readonly ms: number;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

const WAIT = /^wait\s*=\s*"?(\d{1,6})"?$/i;

/**
 * Seconds of `wait` in a `Prefer` header (RFC 7240), at most {@link MAX_WAIT_SECONDS}. Null without it: other
 * preferences, and invalid ones, are ignored. The first one counts.
 */
export function preferredSecondsOf({ headers: { prefer = [] } }: FastifyRequest): number | null {
  for (const preference of [prefer].flat().join(',').split(',')) {
    const [name = ''] = preference.split(';');
    const [, seconds] = WAIT.exec(name.trim()) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), MAX_WAIT_SECONDS);
  }
  return null;
}

/** The wait that the client prefers, or null; for routes that `waits`. */
export const PreferredWait = createParamDecorator((_data: unknown, context: ExecutionContext): Wait | null => {
  const http = context.switchToHttp();
  const seconds = preferredSecondsOf(http.getRequest<FastifyRequest>());
  if (seconds === null) return null;
  const { raw } = http.getResponse<FastifyReply>();
  const left = new AbortController();
  raw.once('close', () => left.abort());
  if (raw.destroyed) left.abort();
  return { ms: inMilliseconds.seconds(seconds), signal: left.signal };
});
