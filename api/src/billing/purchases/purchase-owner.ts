import type { EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import type { SessionService } from '../../identity/sessions/session.service.js';

/** A caller, or the owner of a checkout whose payer hasn't returned. */
export interface PurchaseOwner {
  readonly userId: string;
  readonly isGuest: boolean;
  /**
   * Called with the user's lock held.
   * @throws Error when the session or checkout is no longer this user's
   */
  hold(manager: EntityManager): Promise<void>;
}

export const ownerOf = (caller: Caller, sessions: SessionService): PurchaseOwner => ({
  userId: caller.userId,
  isGuest: caller.isGuest,
  hold: (manager) => sessions.hold(manager, caller),
});
