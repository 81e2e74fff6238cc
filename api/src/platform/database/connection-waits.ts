import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { Pool, type PoolClient } from 'pg';
import { AppError } from '../errors/app-error.js';

/** Time that one request has waited for connections. Waits at the same time count once. */
class RequestWaits {
  private spentMs = 0;
  private waiting = 0;
  private since = 0;

  constructor(
    readonly longestMs: number,
    private readonly hasAnswer: () => boolean,
  ) {}

  /** False once the answer has begun, which would break off, and for work that continues after it. */
  get isLimited(): boolean {
    return !this.hasAnswer();
  }

  /** Returns the milliseconds that are left. */
  begin(): number {
    if (this.waiting++ === 0) this.since = performance.now();
    return Math.max(0, this.longestMs - this.spentMs - (performance.now() - this.since));
  }

  end(): void {
    if (--this.waiting === 0) this.spentMs += performance.now() - this.since;
  }
}

const requests = new AsyncLocalStorage<RequestWaits>();

/**
 * Refuses requests that have waited long for connections while all were in use: with a slow database they would pile up until
 * their clients give up. Background work waits as long as the pool lets it. The hook runs after the body was read, whose
 * events have another context.
 */
export function limitConnectionWaits(fastify: FastifyInstance, longestMs: number): void {
  fastify.addHook('preValidation', (_request, reply, done) =>
    requests.run(new RequestWaits(longestMs, () => reply.raw.headersSent), done),
  );
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  /** Missing where the pool's own limit has ended the wait. */
  release: ((remove?: unknown) => void) | undefined,
) => void;

/** A pool that observes the limit of requests. */
export class RequestPool extends Pool {
  /** Whether the next one waits for others. Opening a connection takes seconds on a busy machine, and is no queue. */
  private get isExhausted(): boolean {
    return this.totalCount >= this.options.max && this.idleCount <= this.waitingCount;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  /** TypeORM passes a callback. */
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const waits = requests.getStore();
    if (!callback) return super.connect();
    if (!waits?.isLimited || !this.isExhausted) {
      super.connect(callback);
      return;
    }
    let isRefused = false;
    const refuse = setTimeout(() => {
      isRefused = true;
      waits.end();
      const cause = new Error(`no connection was free within ${waits.longestMs} ms`);
      callback(new AppError('service.unavailable', { cause }), undefined, () => undefined);
    }, waits.begin());
    super.connect((error, client, release) => {
      // Its turn comes all the same, and passes on.
      if (isRefused) return release?.();
      clearTimeout(refuse);
      waits.end();
      callback(error, client, release);
    });
  }
}
