import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { PluginKeyRow } from './plugin-key.entity.js';

/** Methods that take a manager run in its transaction; locks are held until it ends. */
@Injectable()
export class PluginKeysRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, row: PluginKeyRow): Promise<void> {
    await manager.insert(PluginKeyRow, row);
  }

  countLive(manager: EntityManager, userId: string): Promise<number> {
    return manager.countBy(PluginKeyRow, { userId, revokedAt: IsNull() });
  }

  /** Null for another user's or a revoked key. */
  findLive(userId: string, id: string): Promise<PluginKeyRow | null> {
    return this.database.manager.findOneBy(PluginKeyRow, { id, userId, revokedAt: IsNull() });
  }

  /** Newest first. */
  listLive(userId: string, after: PluginKeyRow | null, limit: number): Promise<PluginKeyRow[]> {
    const query = this.database.manager
      .createQueryBuilder(PluginKeyRow, 'key')
      .where({ userId, revokedAt: IsNull() })
      .orderBy({ 'key.createdAt': 'DESC', 'key.id': 'DESC' })
      .limit(limit);
    if (after) query.andWhere('(key.createdAt, key.id) < (:createdAt, :id)', after);
    return query.getMany();
  }

  /** Revoked ones too, oldest first. */
  listOfUser(userId: string): Promise<PluginKeyRow[]> {
    return this.database.manager.find(PluginKeyRow, { where: { userId }, order: { createdAt: 'ASC' } });
  }

  /** Waits for transactions that hold the key. False for another user's or a revoked key. */
  async revoke(manager: EntityManager, userId: string, id: string): Promise<boolean> {
    const { affected } = await manager.update(
      PluginKeyRow,
      { id, userId, revokedAt: IsNull() },
      { revokedAt: new Date() },
    );
    return affected === 1;
  }

  /** Null for an unknown or revoked key. */
  findByHash(hash: Buffer): Promise<PluginKeyRow | null> {
    return this.database.manager.findOneBy(PluginKeyRow, { hash, revokedAt: IsNull() });
  }

  /** Share-locks a key until the transaction ends. False when it has been revoked. */
  async holdLive(manager: EntityManager, id: string): Promise<boolean> {
    const locked: unknown[] = await manager.query(
      'SELECT id FROM plugin_keys WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
      [id],
    );
    return locked.length > 0;
  }

  /** Null for a revoked key. */
  lockLive(manager: EntityManager, id: string): Promise<PluginKeyRow | null> {
    return manager.findOne(PluginKeyRow, { where: { id, revokedAt: IsNull() }, lock: { mode: 'pessimistic_write' } });
  }

  async bind(manager: EntityManager, id: string, deviceId: string): Promise<void> {
    await manager.update(PluginKeyRow, { id }, { deviceId });
  }

  /** Records a use, unless one was recorded within `seconds` or the key is locked: then the next use is recorded. */
  async recordUse(id: string, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE plugin_keys SET last_used_at = now() WHERE id = (
         SELECT id FROM plugin_keys
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - $2 * interval '1 second')
         FOR UPDATE SKIP LOCKED
       )`,
      [id, seconds],
    );
  }

  async revokeAllOf(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.update(PluginKeyRow, { userId, revokedAt: IsNull() }, { revokedAt: new Date() });
  }

  async deleteOfUser(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.delete(PluginKeyRow, { userId });
  }
}
