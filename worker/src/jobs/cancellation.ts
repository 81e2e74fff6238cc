import { cancellationKey } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { UnrecoverableError } from 'bullmq';
import { JobsConfig } from '../platform/config.js';

/** Not retried: another attempt would take as long. */
export class TimedOutError extends UnrecoverableError {
  constructor(readonly timeoutMs: number) {
    super(`no progress for ${timeoutMs} ms`);
  }
}

export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** This process shuts down; another takes the job. */
export class JobReleasedError extends Error {
  override readonly name = 'JobReleasedError';
}

interface CancellationWatch {
  readonly signal: AbortSignal;
  stop(): void;
}

@Injectable()
export class Cancellations {
  constructor(
    private readonly redis: RedisClient,
    private readonly config: JobsConfig,
  ) {}

  /** Resolves after the first check. */
  async watch(runId: string): Promise<CancellationWatch> {
    const controller = new AbortController();
    const check = async () => {
      // Without Redis the run continues.
      const found = await this.redis.exists(cancellationKey(runId)).catch(() => 0);
      if (found > 0) controller.abort(new CancelledError('the run was cancelled'));
    };
    await check();
    const timer = setInterval(() => void check(), this.config.cancellationInterval);
    return { signal: controller.signal, stop: () => clearInterval(timer) };
  }
}
