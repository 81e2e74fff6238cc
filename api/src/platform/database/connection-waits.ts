import { AsyncLocalStorage } from 'node:async_hooks';
import { inMilliseconds } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';
import { Pool, type PoolClient } from 'pg';
import { AppError } from '../errors/app-error.js';

const LONGEST_WAIT_MS = inMilliseconds.seconds(2);

/** Time that one request has waited for connections. Waits at the same time count once. */
class RequestWaits {
  private spentMs = 0;
  private waiting = 0;
  private since = 0;

  constructor(private readonly hasEnded: () => boolean) {}

  /** False for work that continues after the response. */
  get isLimited(): boolean {
    return !this.hasEnded();
  }

  /** Returns the milliseconds that are left. */
  begin(): number {
    if (this.waiting++ === 0) this.since = performance.now();
    return Math.max(0, LONGEST_WAIT_MS - this.spentMs - (performance.now() - this.since));
  }

  end(): void {
    if (--this.waiting === 0) this.spentMs += performance.now() - this.since;
  }
}

const requests = new AsyncLocalStorage<RequestWaits>();

/**
 * Refuses requests that have waited two seconds for connections: with a slow database they would pile up until their clients
 * give up. Background work waits as long as the pool lets it. The hook runs after the body was read, whose events have
 * another context.
 */
export function limitConnectionWaits(fastify: FastifyInstance): void {
  fastify.addHook('preValidation', (_request, reply, done) =>
    requests.run(new RequestWaits(() => reply.raw.writableEnded), done),
  );
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (remove?: unknown) => void,
) => void;

/** A pool that observes the limit of requests. */
export class RequestPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  /** TypeORM passes a callback. */
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const waits = requests.getStore();
    if (!callback) return super.connect();
    if (!waits?.isLimited) {
      super.connect(callback);
      return;
    }
    let isRefused = false;
    const refuse = setTimeout(() => {
      isRefused = true;
      waits.end();
      const cause = new Error(`no connection was free within ${LONGEST_WAIT_MS} ms`);
      callback(new AppError('service.unavailable', { cause }), undefined, () => undefined);
    }, waits.begin());
    super.connect((error, client, release) => {
      // Its turn comes all the same, and passes on.
      if (isRefused) return release();
      clearTimeout(refuse);
      waits.end();
      callback(error, client, release);
    });
  }
}
