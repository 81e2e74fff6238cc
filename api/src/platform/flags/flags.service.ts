import { DEFAULT_FLAGS, type Flags, inMilliseconds, parseFlags } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import type { FlagOverride } from './flag-override.entity.js';
import { FlagOverrideRepository } from './flag-override.repository.js';

const CACHE_MS = inMilliseconds.seconds(2);

@Injectable()
export class FlagsService {
  private readonly logger = new Logger(FlagsService.name);
  private read: { readonly flags: Flags; readonly at: number } | null = null;

  constructor(private readonly repository: FlagOverrideRepository) {}

  async current(): Promise<Flags> {
    if (!this.read || Date.now() - this.read.at > CACHE_MS) {
      const overrides = await this.repository.list();
      this.read = { flags: { ...DEFAULT_FLAGS, ...this.validOf(overrides) }, at: Date.now() };
    }
    return this.read.flags;
  }

  /** Ignores names of other versions and invalid values. */
  private validOf(overrides: readonly FlagOverride[]): Partial<Flags> {
    const { flags, rejected } = parseFlags(Object.fromEntries(overrides.map(({ name, value }) => [name, value])));
    for (const name of rejected) this.logger.warn(`the flag ${name} has an invalid value; using the default`);
    return flags;
  }
}
