import { createHash, randomBytes } from 'node:crypto';
import type { WebOnboardingId } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../identity/caller/caller.js';
import { SessionService } from '../identity/sessions/session.service.js';
import { lockUsers } from '../platform/database/user-lock.js';
import { AppError } from '../platform/errors/app-error.js';
import { GuestsService } from './guests.service.js';

/** 128 bits. */
const ID_BYTES = 16;

/**
 * Rows are found by the hash. What a search takes tells at most something of the hash, from which nobody gets to the id:
 * there is no secret to compare in constant time.
 */
const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

/** Hands the guest of an onboarding funnel over to whoever comes with its id, once. */
@Injectable()
export class OnboardingService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly guests: GuestsService,
  ) {}

  /** @throws AppError `users.not_a_guest` */
  async issue(caller: Caller): Promise<WebOnboardingId> {
    if (!caller.isGuest) throw new AppError('users.not_a_guest');
    const webOnboardingUserId = randomBytes(ID_BYTES).toString('base64url');
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      await manager.query(
        `INSERT INTO web_onboardings (user_id, hash, created_at) VALUES ($1, $2, now())
         ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at`,
        [caller.userId, hashOf(webOnboardingUserId)],
      );
    });
    return { webOnboardingUserId };
  }

  /**
   * Gives the caller everything the funnel's guest has. Locks as a login does: both people, the receiver's row, sessions,
   * the guest's row, belongings.
   * @throws AppError `users.onboarding_not_found`, `…_used`, `…_own`, `…_logged_in`
   */
  async migrate(caller: Caller, id: string): Promise<void> {
    const guestId = await this.guestOf(this.database.manager, id);
    if (!guestId) throw new AppError('users.onboarding_not_found');
    if (guestId === caller.userId) throw new AppError('users.onboarding_own');
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, caller.userId, guestId);
      await manager.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [caller.userId]);
      await this.sessions.hold(manager, caller);
      await this.use(manager, id, guestId);
      await this.guests.move(manager, guestId, caller.userId);
    });
  }

  /** Takes a guest out of everybody's hands, and the id out of use. */
  private async use(manager: EntityManager, id: string, guestId: string): Promise<void> {
    await this.sessions.revokeAll(guestId, manager);
    const [guest]: { moved_at: Date | null }[] = await manager.query(
      'SELECT moved_at FROM users WHERE id = $1 FOR UPDATE',
      [guestId],
    );
    const [, used]: [unknown[], number] = await manager.query(
      'UPDATE web_onboardings SET used_at = now() WHERE hash = $1 AND used_at IS NULL',
      [hashOf(id)],
    );
    if (!guest || !(await this.guestOf(manager, id))) throw new AppError('users.onboarding_not_found');
    if (used === 0) throw new AppError('users.onboarding_used');
    if (guest.moved_at) throw new AppError('users.onboarding_logged_in');
  }

  private async guestOf(manager: EntityManager, id: string): Promise<string | null> {
    const [found]: { user_id: string }[] = await manager.query('SELECT user_id FROM web_onboardings WHERE hash = $1', [
      hashOf(id),
    ]);
    return found?.user_id ?? null;
  }
}
