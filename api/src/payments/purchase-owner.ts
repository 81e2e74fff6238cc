import type { EntityManager } from 'typeorm';
import type { Caller } from '../sessions/caller.js';
import type { SessionService } from '../sessions/session.service.js';

export interface PurchaseOwner {
  readonly userId: string;
  readonly isGuest: boolean;
  hold(manager: EntityManager): Promise<void>;
}

export const ownerOf = (caller: Caller, sessions: SessionService): PurchaseOwner => ({
  userId: caller.userId,
  isGuest: caller.isGuest,
  hold: (manager) => sessions.hold(manager, caller),
});
