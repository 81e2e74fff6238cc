import { randomUUID } from 'node:crypto';
import type { Role, SupportRequest } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { holdUser } from '../platform/database/statements.js';
import { deleteAttempts } from '../platform/schedule/work-claims.js';

interface Sender {
  readonly userId: string;
  readonly role: Role;
}

export interface StoredRequest extends SupportRequest {
  readonly id: string;
  readonly userId: string | null;
  readonly role: Role | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

const COLUMNS = `id, user_id AS "userId", role, name, email, subject, body, source, device, browser,
  event_id AS "eventId", created_at AS "createdAt", sent_at AS "sentAt"`;
const VERIFIED_ADDRESS = '(SELECT lower(email) FROM users WHERE id = $1 AND email_verified)';
/** Includes requests without an account from the user's verified address. */
const OWNED = `user_id = $1 OR (user_id IS NULL AND lower(email) = ${VERIFIED_ADDRESS})`;
/** Erasure also covers guests' requests from that address. */
const ERASED = `user_id = $1 OR lower(email) = ${VERIFIED_ADDRESS}`;

@Injectable()
export class SupportRequestsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @returns the request's id; null for an erased user */
  insert(request: SupportRequest, sender: Sender | null): Promise<string | null> {
    return this.database.transaction(async (manager) => {
      if (sender && !(await holdUser(manager, sender.userId))) return null;
      const id = randomUUID();
      const { name, email, subject, body, source, device, browser, eventId } = request;
      await manager.query(
        `INSERT INTO support_requests (id, user_id, role, name, email, subject, body, source, device, browser, event_id,
           created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now())`,
        [id, sender?.userId, sender?.role, name, email, subject, body, source, device, browser, eventId],
      );
      return id;
    });
  }

  async findUnsent(id: string): Promise<StoredRequest | null> {
    const rows: StoredRequest[] = await this.database.query(
      `SELECT ${COLUMNS} FROM support_requests WHERE id = $1 AND sent_at IS NULL`,
      [id],
    );
    return rows[0] ?? null;
  }

  async markSent(id: string, deskId: string): Promise<void> {
    await this.database.query('UPDATE support_requests SET sent_at = now(), desk_id = $2 WHERE id = $1', [id, deskId]);
  }

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE support_requests SET user_id = $2 WHERE user_id = $1', [from, to]);
  }

  listOwned(userId: string): Promise<StoredRequest[]> {
    return this.database.query(`SELECT ${COLUMNS} FROM support_requests WHERE ${OWNED} ORDER BY created_at, id`, [
      userId,
    ]);
  }

  deleteOfUser(manager: EntityManager, userId: string): Promise<void> {
    return this.delete(manager, ERASED, [userId]);
  }

  deleteOlderThan(days: number): Promise<void> {
    return this.database.transaction((manager) =>
      this.delete(manager, 'created_at < now() - make_interval(days => $1)', [days]),
    );
  }

  async finishDeletion(requestId: string): Promise<void> {
    await this.database.query('DELETE FROM support_deletions WHERE request_id = $1', [requestId]);
  }

  /** Deletes requests here and leaves their ids, by which the desk's copies are deleted. */
  private async delete(manager: EntityManager, condition: string, values: readonly unknown[]): Promise<void> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id FROM support_requests WHERE ${condition} FOR UPDATE`,
      [...values],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    await manager.query('DELETE FROM support_requests WHERE id = ANY ($1)', [ids]);
    await manager.query(
      'INSERT INTO support_deletions (request_id, created_at) SELECT unnest($1::uuid[]), now() ON CONFLICT DO NOTHING',
      [ids],
    );
    await deleteAttempts(manager, ids);
  }
}
