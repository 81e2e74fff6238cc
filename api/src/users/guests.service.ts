import { type AccessToken, inSeconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SessionService } from '../identity/sessions/session.service.js';
import { newUser } from './new-user.js';
import { PersonalDataRegistry } from './personal-data.js';
import { UserRow } from './user.entity.js';

/** How long the row of a guest stays whom nobody can act for and who has nothing. */
const ABANDONED_KEPT = `${inSeconds.days(30)} seconds`;
const PURGE_BATCH = 500;

/** People who have not logged in: how they begin, where what they have goes, and how they end. */
@Injectable()
export class GuestsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly belongings: PersonalDataRegistry,
  ) {}

  /** Makes a guest with a session of its own. */
  create(): Promise<AccessToken> {
    return this.database.transaction(async (manager) => {
      const guest = newUser(null);
      await manager.insert(UserRow, guest);
      return { accessToken: await this.sessions.open(guest, manager) };
    });
  }

  /**
   * Gives everything a guest has to somebody else, in the caller's transaction, which has ended the guest's session
   * before. What both have chosen stays as the receiver chose it.
   */
  async move(manager: EntityManager, guestId: string, to: string): Promise<void> {
    await this.belongings.move(manager, guestId, to);
    await manager.query(
      `UPDATE users receiver SET preferences = guest.preferences || receiver.preferences,
         language = coalesce(guest.language, receiver.language)
       FROM users guest WHERE receiver.id = $2 AND guest.id = $1
         AND (guest.preferences <> '{}' OR guest.language IS NOT NULL)`,
      [guestId, to],
    );
    await manager.query(`UPDATE users SET moved_at = now(), preferences = '{}' WHERE id = $1`, [guestId]);
  }

  /**
   * Deletes the rows of guests who are long gone and have left nothing.
   * @throws AggregateError for those that could not be deleted, after all others were
   */
  async purge(): Promise<void> {
    const errors: unknown[] = [];
    for (let after: Guest | undefined = BEFORE_ALL; after; ) {
      const batch = await this.abandoned(after);
      const ids = batch.map(({ id }) => id);
      await this.removeEmpty(ids).catch(async () => {
        for (const id of ids) await this.removeEmpty([id]).catch((error: unknown) => errors.push(error));
      });
      after = batch.at(-1);
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} guests could not be deleted: ${errors[0]}`);
  }

  private abandoned(after: Guest): Promise<Guest[]> {
    return this.database.query(
      `SELECT id, created_at::text FROM users u
       WHERE is_guest AND (created_at, id) > ($1::timestamptz, $2::uuid) AND created_at < now() - $3::interval
         AND NOT EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now())
       ORDER BY created_at, id LIMIT $4`,
      [after.created_at, after.id, ABANDONED_KEPT, PURGE_BATCH],
    );
  }

  private async removeEmpty(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.transaction(async (manager) => {
      // Somebody may be taking over what a guest has; they are done before we look, or find no guest any more.
      await manager.query('SELECT FROM users WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [ids]);
      const kept = await this.belongings.keeping(manager, ids);
      await manager.query('DELETE FROM users WHERE id = ANY ($1) AND NOT id = ANY ($2)', [ids, kept]);
    });
  }
}

/** Where a walk through the guests, oldest first, has come to. */
interface Guest {
  readonly id: string;
  readonly created_at: string;
}

const BEFORE_ALL: Guest = { id: '00000000-0000-0000-0000-000000000000', created_at: '-infinity' };
