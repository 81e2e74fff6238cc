import type { KeyKind, KeyScope, UpdatePluginKey } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, IsNull, PrimaryColumn } from 'typeorm';
import { prepared } from '../platform/database/statements.js';
import { CALLING_USER, type CallingUser } from '../sessions/session.repository.js';

@Entity('plugin_keys')
export class PluginKeyRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('text')
  kind!: KeyKind;

  @Column('text', { nullable: true })
  name!: string | null;

  /** The start of the key, which is shown to its owner. */
  @Column('text')
  prefix!: string;

  /** SHA-256 of the key: no salt or slow hash is needed for 256 random bits. */
  @Column('bytea')
  hash!: Buffer;

  @Column('text', { array: true })
  scopes!: KeyScope[];

  /** Null: never. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** Most requests a minute; null: no limit of its own. */
  @Column('int', { nullable: true })
  perMinute!: number | null;

  /** Most pictures and videos started in a month (UTC); null: no limit of its own. */
  @Column('int', { nullable: true })
  perMonth!: number | null;

  /** Null until the key is bound to a device. */
  @Column('text', { nullable: true })
  deviceId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** Address of that use. */
  @Column('text', { nullable: true })
  lastUsedIp!: string | null;

  /** Never unset. */
  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}

/** A key as a request needs it. */
export type CallingKey = Pick<
  PluginKeyRow,
  'id' | 'kind' | 'scopes' | 'expiresAt' | 'perMinute' | 'deviceId' | 'lastUsedAt'
>;

export interface KeyWithOwner {
  readonly key: CallingKey;
  readonly owner: CallingUser;
}

const KEY_WITH_OWNER = prepared(
  `SELECT k.id, k.kind, k.scopes, k.expires_at AS "expiresAt", k.per_minute AS "perMinute", k.device_id AS "deviceId",
     k.last_used_at AS "lastUsedAt", ${CALLING_USER}
   FROM plugin_keys k JOIN users u ON u.id = k.user_id WHERE k.hash = $1 AND k.revoked_at IS NULL`,
);

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

  /** Waits for transactions that hold the key. Null for another user's or a revoked key. */
  async update(
    manager: EntityManager,
    userId: string,
    id: string,
    { name, scopes, expiresAt, limits }: UpdatePluginKey,
  ): Promise<PluginKeyRow | null> {
    const live = { id, userId, revokedAt: IsNull() };
    await manager.update(PluginKeyRow, live, { name, ...(scopes && { scopes }), expiresAt, ...limits });
    return manager.findOneBy(PluginKeyRow, live);
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
  async findByHash(hash: Buffer): Promise<KeyWithOwner | null> {
    const [found]: (KeyWithOwner['key'] & KeyWithOwner['owner'])[] = await this.database.query(KEY_WITH_OWNER, [hash]);
    if (!found) return null;
    const { id, kind, scopes, expiresAt, perMinute, deviceId, lastUsedAt, ...owner } = found;
    return { key: { id, kind, scopes, expiresAt, perMinute, deviceId, lastUsedAt }, owner };
  }

  /** Null for a revoked key. */
  lockLive(manager: EntityManager, id: string): Promise<PluginKeyRow | null> {
    return manager.findOne(PluginKeyRow, { where: { id, revokedAt: IsNull() }, lock: { mode: 'pessimistic_write' } });
  }

  async bind(manager: EntityManager, id: string, deviceId: string): Promise<void> {
    await manager.update(PluginKeyRow, { id }, { deviceId });
  }

  /** Records a use, unless one was recorded within `seconds` or the key is locked: then the next use is recorded. */
  async recordUse(id: string, ip: string | null, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE plugin_keys SET last_used_at = now(), last_used_ip = $3 WHERE id = (
         SELECT id FROM plugin_keys
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - $2 * interval '1 second')
         FOR UPDATE SKIP LOCKED
       )`,
      [id, seconds, ip],
    );
  }

  async forgetAddresses(afterDays: number): Promise<void> {
    await this.database.query(
      `UPDATE plugin_keys SET last_used_ip = NULL
       WHERE last_used_ip IS NOT NULL AND last_used_at < now() - make_interval(days => $1)`,
      [afterDays],
    );
  }

  async deleteOfUser(userId: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.delete(PluginKeyRow, { userId });
  }
}
