import type { EntityManager } from 'typeorm';
import type { Caller } from '../../identity/caller/caller.js';
import type { SessionService } from '../../identity/sessions/session.service.js';

/** Whose purchase it is: a caller's, or that of a checkout whose payer has not come back. */
export interface PurchaseOwner {
  readonly userId: string;
  readonly isGuest: boolean;
  /**
   * Called with the user's lock held.
   * @throws Error when the purchase is no longer this user's to make
   */
  hold(manager: EntityManager): Promise<void>;
}

/** A caller, for as long as the session lives. */
export const ownerOf = (caller: Caller, sessions: SessionService): PurchaseOwner => ({
  userId: caller.userId,
  isGuest: caller.isGuest,
  hold: (manager) => sessions.hold(manager, caller),
});
