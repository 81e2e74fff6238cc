import { randomBytes } from 'node:crypto';
import type { WebOnboardingId } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { sha256 } from '../platform/config/seal.js';
import { lockUsers } from '../platform/database/statements.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { SessionService } from '../sessions/session.service.js';
import { GuestsService } from './guests.service.js';
import { OnboardingRepository } from './onboarding.repository.js';
import { UserRepository } from './user.repository.js';

/** 128 bits. */
const ID_BYTES = 16;

@Injectable()
export class OnboardingService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sessions: SessionService,
    private readonly guests: GuestsService,
    private readonly onboardings: OnboardingRepository,
    private readonly users: UserRepository,
  ) {}

  async issue(caller: Caller): Promise<WebOnboardingId> {
    if (!caller.isGuest) throw new AppError('users.not_a_guest');
    const webOnboardingUserId = randomBytes(ID_BYTES).toString('base64url');
    await this.database.transaction(async (manager) => {
      await this.sessions.hold(manager, caller);
      await this.onboardings.save(manager, caller.userId, sha256(webOnboardingUserId));
    });
    return { webOnboardingUserId };
  }

  /**
   * Locks in the order of a login: both users, the receiver's row, sessions, the guest's row, data.
   * @throws AppError `users.onboarding_not_found`, `…_used`, `…_own`, `…_logged_in`
   */
  async migrate(caller: Caller, id: string): Promise<void> {
    const guestId = await this.onboardings.findGuestId(sha256(id));
    if (!guestId) throw new AppError('users.onboarding_not_found');
    if (guestId === caller.userId) throw new AppError('users.onboarding_own');
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, caller.userId, guestId);
      await this.users.lock(manager, caller.userId);
      await this.sessions.hold(manager, caller);
      await this.use(manager, id, guestId);
      await this.guests.move(manager, guestId, caller.userId);
    });
  }

  private async use(manager: EntityManager, id: string, guestId: string): Promise<void> {
    await this.sessions.revokeAll(guestId, manager);
    const guest = await this.users.lockGuest(manager, guestId);
    const isFirstUse = await this.onboardings.markUsed(manager, sha256(id));
    if (!guest || !(await this.onboardings.findGuestId(sha256(id), manager))) {
      throw new AppError('users.onboarding_not_found');
    }
    if (!isFirstUse) throw new AppError('users.onboarding_used');
    if (guest.isMoved) throw new AppError('users.onboarding_logged_in');
  }
}
