import { notConfigured } from '../platform/errors/app-error.js';

export interface MobileAccount {
  readonly oracleBackendId: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly isSubscribed: boolean;
  readonly currentPeriodEnd: Date | null;
}

export abstract class MobileAccounts {
  abstract find(oracleBackendId: string): Promise<MobileAccount | null>;
}

export class UnconfiguredMobile extends MobileAccounts {
  async find(): Promise<never> {
    throw notConfigured('mobile accounts');
  }
}
