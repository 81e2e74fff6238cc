import { DEFAULT_FLAGS, type FlagName, type Flags, inMilliseconds, parseFlags } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { Injectable, Logger, Module } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';

@Entity('flag_overrides')
export class FlagOverride {
  @PrimaryColumn('text')
  name!: string;

  @Column('jsonb')
  value!: unknown;

  @Column('timestamptz')
  updatedAt!: Date;
}

@Injectable()
export class FlagOverrideRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  list(): Promise<FlagOverride[]> {
    return this.database.manager.find(FlagOverride);
  }

  async set<Name extends FlagName>(manager: EntityManager, name: Name, value: Flags[Name]): Promise<void> {
    // The query builder would write a null value as SQL's NULL.
    await manager.query(
      `INSERT INTO flag_overrides (name, value, updated_at) VALUES ($1, $2::jsonb, now())
       ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
      [name, JSON.stringify(value)],
    );
  }

  async delete(manager: EntityManager, name: FlagName): Promise<void> {
    await manager.delete(FlagOverride, name);
  }
}

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

@Module({
  imports: [TypeOrmModule.forFeature([FlagOverride])],
  providers: [FlagOverrideRepository, FlagsService],
  exports: [FlagsService],
})
export class FlagsModule {}
