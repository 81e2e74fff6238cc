import { GUEST_STANDING, NEVER_SUBSCRIBED, type Role, roleOf, type Standing, type User } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Everything about somebody that follows from money. */
export interface MoneyStanding extends Omit<Standing, 'isGuest' | 'isFree'> {
  /** Downloads of the running period; a null limit is unlimited. */
  readonly exports: { readonly limit: number | null; readonly used: number; readonly renewsAt: string | null };
  readonly giftCode: User['giftCode'];
  readonly monetization: User['monetization'];
  readonly mobileOracleBackendId: string | null;
}

/** The standing of somebody who has never paid or been given anything. */
const PENNILESS: MoneyStanding = {
  ...GUEST_STANDING,
  exports: { limit: 0, used: 0, renewsAt: null },
  giftCode: null,
  monetization: NEVER_SUBSCRIBED,
  mobileOracleBackendId: null,
};

/** Somebody who knows what people have paid for. One SQL statement, asked with every request that brings a token. */
export interface StandingSource {
  standingOf(userId: string, manager?: EntityManager): Promise<MoneyStanding>;
}

/** The facts of `users` that a role needs beside those of money. */
export interface RoleFacts {
  readonly isGuest: boolean;
  readonly isFree: boolean;
}

export const roleBy = (facts: RoleFacts, money: MoneyStanding): Role =>
  roleOf({ ...money, isGuest: facts.isGuest, isFree: facts.isFree });

/** Where billing says what somebody's money amounts to; identity must not know of billing. */
@Injectable()
export class Standings implements StandingSource {
  private source: StandingSource = { standingOf: async () => PENNILESS };

  register(source: StandingSource): void {
    this.source = source;
  }

  standingOf(userId: string, manager?: EntityManager): Promise<MoneyStanding> {
    return this.source.standingOf(userId, manager);
  }
}
