import { notConfigured } from '../platform/errors/app-error.js';

/** An account of the mobile app, as its backend tells it. */
export interface MobileAccount {
  readonly oracleBackendId: string;
  readonly email: string;
  /** The app's backend has made sure that the address is theirs. */
  readonly isEmailVerified: boolean;
  readonly isSubscribed: boolean;
  /** End of the subscription's running period; null where none is known. */
  readonly currentPeriodEnd: Date | null;
}

/** The mobile app's backend. */
export abstract class MobileAccounts {
  /** An account by its id, or null. */
  abstract find(oracleBackendId: string): Promise<MobileAccount | null>;
}

/** Stands in where no mobile backend is configured. */
export class UnconfiguredMobile extends MobileAccounts {
  async find(): Promise<never> {
    throw notConfigured('mobile accounts');
  }
}
