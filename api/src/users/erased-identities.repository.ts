import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

@Injectable()
export class ErasedIdentitiesRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, uid: string): Promise<void> {
    await manager.query('INSERT INTO erased_identities (uid, erased_at) VALUES ($1, now()) ON CONFLICT DO NOTHING', [
      uid,
    ]);
  }

  async delete(uid: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.query('DELETE FROM erased_identities WHERE uid = $1', [uid]);
  }

  async has(uid: string): Promise<boolean> {
    const rows: unknown[] = await this.database.query('SELECT FROM erased_identities WHERE uid = $1', [uid]);
    return rows.length > 0;
  }
}
