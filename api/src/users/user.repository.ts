import type { Preferences } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { UserRow } from './user.entity.js';

/** The SQL of `users`. */
@Injectable()
export class UserRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  find(id: string): Promise<UserRow | null> {
    return this.database.manager.findOneBy(UserRow, { id });
  }

  /** Changes the preferences that are named and leaves the rest. */
  async mergePreferences(
    id: string,
    change: Partial<Preferences>,
    manager: EntityManager = this.database.manager,
  ): Promise<void> {
    await manager.query('UPDATE users SET preferences = preferences || $2::jsonb WHERE id = $1', [
      id,
      JSON.stringify(change),
    ]);
  }
}
