import type { FlagName, Flags } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { FlagOverride } from './flag-override.entity.js';

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
