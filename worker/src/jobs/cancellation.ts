import { cancellationKey } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';
import { JobsConfig } from '../platform/jobs.config.js';
import { CancelledError } from './errors.js';

export interface CancellationWatch {
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
