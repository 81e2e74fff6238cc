import { randomUUID } from 'node:crypto';
import { inSeconds, type Locale, type LoginProvider, Preferences } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import type { Identity } from '../identity/identity-provider.js';
import { JsonColumn } from '../platform/database/json-column.js';
import { EntityRows, prepared } from '../platform/database/statements.js';

@Entity('users')
export class UserRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('boolean')
  isGuest!: boolean;

  @Column('text', { nullable: true, unique: true })
  firebaseUid!: string | null;

  @Column('text', { nullable: true })
  email!: string | null;

  /** An unverified address proves nothing. */
  @Column('boolean', { name: 'email_verified' })
  isEmailVerified!: boolean;

  /** Set by the first login. */
  @Column('text', { nullable: true })
  source!: LoginProvider | null;

  @JsonColumn(Preferences.partial())
  preferences!: Partial<Preferences>;

  @Column('boolean')
  isFree!: boolean;

  @Column('text', { nullable: true })
  language!: Locale | null;

  /** Null without consent; see `consent_changes`. */
  @Column('timestamptz', { nullable: true })
  marketingConsentAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  imageTrainingConsentAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** When the guest's data was moved to an account. The guest is unused from then on. */
  @Column('timestamptz', { nullable: true })
  movedAt!: Date | null;
}

export const newUser = (identity: Identity | null): UserRow => ({
  id: randomUUID(),
  isGuest: identity === null,
  firebaseUid: identity?.uid ?? null,
  email: identity?.email ?? null,
  isEmailVerified: identity?.isEmailVerified ?? false,
  source: identity?.source ?? null,
  preferences: {},
  isFree: false,
  language: null,
  marketingConsentAt: null,
  imageTrainingConsentAt: null,
  createdAt: new Date(),
  movedAt: null,
});

/** For guests without a live session and without data. */
const GUEST_RETENTION_SECONDS = inSeconds.days(30);

export interface GuestCursor {
  readonly id: string;
  readonly created_at: string;
}

/** Served by the index `users_verified_email`: visitors may ask for any address. */
export const USERS_WITH_EMAIL =
  'SELECT id, email, language FROM users WHERE lower(email) = lower($1) AND email_verified';

export interface Addressee {
  readonly id: string;
  readonly email: string;
  readonly language: Locale | null;
}

export const FIRST_GUEST: GuestCursor = { id: '00000000-0000-0000-0000-000000000000', created_at: '-infinity' };

@Injectable()
export class UserRepository {
  private readonly rows: EntityRows<UserRow>;

  constructor(@InjectDataSource() private readonly database: DataSource) {
    this.rows = new EntityRows(database, UserRow, 'u');
  }

  async find(id: string, manager: EntityManager = this.database.manager): Promise<UserRow | null> {
    const [row] = await manager.query(prepared(`SELECT ${this.rows.names} FROM users u WHERE u.id = $1`), [id]);
    return row ? this.rows.entityOf(row) : null;
  }

  listAddressees(manager: EntityManager, ids: readonly string[]): Promise<Addressee[]> {
    return manager.query('SELECT id, email, language FROM users WHERE id = ANY ($1) AND email IS NOT NULL', [ids]);
  }

  listByVerifiedEmail(email: string): Promise<Addressee[]> {
    return this.database.query(USERS_WITH_EMAIL, [email]);
  }

  async findIdOf(firebaseUid: string, manager: EntityManager = this.database.manager): Promise<string | null> {
    const row = await manager.findOne(UserRow, { select: { id: true }, where: { firebaseUid } });
    return row?.id ?? null;
  }

  async insert(manager: EntityManager, row: UserRow): Promise<void> {
    await manager.insert(UserRow, row);
  }

  async insertIfNew(manager: EntityManager, row: UserRow): Promise<void> {
    await manager.createQueryBuilder().insert().into(UserRow).values(row).orIgnore().execute();
  }

  async lock(manager: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
    return rows.length > 0;
  }

  async lockAll(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query('SELECT FROM users WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [ids]);
  }

  lockByFirebaseUid(manager: EntityManager, firebaseUid: string): Promise<UserRow | null> {
    return manager.findOne(UserRow, { where: { firebaseUid }, lock: { mode: 'pessimistic_write' } });
  }

  async lockGuest(manager: EntityManager, id: string): Promise<{ readonly isMoved: boolean } | null> {
    const [row]: { moved_at: Date | null }[] = await manager.query(
      'SELECT moved_at FROM users WHERE id = $1 FOR UPDATE',
      [id],
    );
    return row ? { isMoved: row.moved_at !== null } : null;
  }

  async update(
    manager: EntityManager,
    id: string,
    change: Partial<Pick<UserRow, 'email' | 'isEmailVerified' | 'isFree'>>,
  ): Promise<void> {
    await manager.update(UserRow, id, change);
  }

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

  async moveProfile(manager: EntityManager, guestId: string, to: string): Promise<void> {
    await manager.query(
      `UPDATE users receiver SET preferences = guest.preferences || receiver.preferences,
         language = coalesce(guest.language, receiver.language)
       FROM users guest WHERE receiver.id = $2 AND guest.id = $1
         AND (guest.preferences <> '{}' OR guest.language IS NOT NULL)`,
      [guestId, to],
    );
    await manager.query(`UPDATE users SET moved_at = now(), preferences = '{}' WHERE id = $1`, [guestId]);
  }

  listAbandonedGuests(after: GuestCursor, limit: number): Promise<GuestCursor[]> {
    return this.database.query(
      `SELECT id, created_at::text FROM users u
       WHERE is_guest AND (created_at, id) > ($1::timestamptz, $2::uuid) AND created_at < now() - make_interval(secs => $3)
         AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now())
       ORDER BY created_at, id LIMIT $4`,
      [after.created_at, after.id, GUEST_RETENTION_SECONDS, limit],
    );
  }

  async delete(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query('DELETE FROM users WHERE id = ANY ($1)', [ids]);
  }
}
