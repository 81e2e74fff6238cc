import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

@Injectable()
export class OnboardingRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async save(manager: EntityManager, userId: string, hash: Buffer): Promise<void> {
    await manager.query(
      `INSERT INTO web_onboardings (user_id, hash, created_at) VALUES ($1, $2, now())
       ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at`,
      [userId, hash],
    );
  }

  async findGuestId(hash: Buffer, manager: EntityManager = this.database.manager): Promise<string | null> {
    const [row]: { user_id: string }[] = await manager.query('SELECT user_id FROM web_onboardings WHERE hash = $1', [
      hash,
    ]);
    return row?.user_id ?? null;
  }

  async markUsed(manager: EntityManager, hash: Buffer): Promise<boolean> {
    const [, count]: [unknown[], number] = await manager.query(
      'UPDATE web_onboardings SET used_at = now() WHERE hash = $1 AND used_at IS NULL',
      [hash],
    );
    return count > 0;
  }

  listOf(userId: string): Promise<{ readonly createdAt: Date; readonly usedAt: Date | null }[]> {
    return this.database.query(
      'SELECT created_at AS "createdAt", used_at AS "usedAt" FROM web_onboardings WHERE user_id = $1',
      [userId],
    );
  }
}
