import { FLAG_NAMES, FLAGS, type FlagName, type Flags, inMilliseconds, STANDARD_FLAGS } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FlagOverride } from './flag-override.entity.js';

/** Every page asks for flags, and an operator's change may take this long to be seen. */
const FRESH_MS = inMilliseconds.seconds(2);

/** The flags as they stand: what operators have set, over the standard values. */
@Injectable()
export class FlagsService {
  private readonly logger = new Logger(FlagsService.name);
  private read: { readonly flags: Flags; readonly at: number } | null = null;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async current(): Promise<Flags> {
    if (!this.read || Date.now() - this.read.at > FRESH_MS) {
      const overrides = await this.database.manager.find(FlagOverride);
      this.read = { flags: { ...STANDARD_FLAGS, ...this.usable(overrides) }, at: Date.now() };
    }
    return this.read.flags;
  }

  /** A name from another version, or a value that is none, must not stop the product. */
  private usable(overrides: readonly FlagOverride[]): Partial<Flags> {
    const entries = overrides.flatMap(({ name, value }) => {
      const flag = FLAG_NAMES.find((known): known is FlagName => known === name);
      const result = flag && FLAGS[flag].schema.safeParse(value);
      if (result?.success) return [[flag, result.data] as const];
      this.logger.warn(`the flag ${name} is set to something that it can't be; its standard value holds`);
      return [];
    });
    return Object.fromEntries(entries);
  }
}
