import { notConfigured } from '../platform/errors/app-error.js';

/** An account of the mobile app. */
export interface MobileAccount {
  readonly oracleBackendId: string;
  readonly email: string;
  /** Verified by the app's backend. */
  readonly isEmailVerified: boolean;
  readonly isSubscribed: boolean;
  /** End of the subscription's current period; null when unknown. */
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
