import { DEFAULT_FLAGS, type Flags, inMilliseconds, parseFlags } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { Injectable, Logger } from '@nestjs/common';
import type { FlagOverride } from './flag-override.entity.js';
import { FlagOverrideRepository } from './flag-override.repository.js';

const CACHE_MS = inMilliseconds.seconds(2);

@Injectable()
export class FlagsService {
  private readonly logger = new Logger(FlagsService.name);
  private readonly cached = new Cached<Flags>(CACHE_MS, async () => ({
    ...DEFAULT_FLAGS,
    ...this.validOf(await this.repository.list()),
  }));

  constructor(private readonly repository: FlagOverrideRepository) {}

  /** Takes a connection when the cache is stale: not for use in a transaction, which holds one. */
  current(): Promise<Flags> {
    return this.cached.get();
  }

  /** Ignores names of other versions and invalid values. */
  private validOf(overrides: readonly FlagOverride[]): Partial<Flags> {
    const { flags, rejected } = parseFlags(Object.fromEntries(overrides.map(({ name, value }) => [name, value])));
    for (const name of rejected) this.logger.warn(`the flag ${name} has an invalid value; using the default`);
    return flags;
  }
}
