import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import type { SandboxClient } from '../platform/sandbox/sandbox-client.js';
import { type MobileAccount, MobileAccounts } from './mobile-accounts.js';

export const MOBILE_PATH = '/api/sandbox/mobile';

const Account = z.object({ oracleBackendId: z.string(), email: z.email() });

/** Accounts that the sandbox keeps; their subscriptions never end. */
export class SandboxMobile extends MobileAccounts {
  constructor(private readonly sandbox: SandboxClient) {
    super();
  }

  override async find(oracleBackendId: string): Promise<MobileAccount | null> {
    try {
      const account = await this.sandbox.call(
        `${MOBILE_PATH}/accounts/${encodeURIComponent(oracleBackendId)}`,
        Account,
      );
      return { ...account, isEmailVerified: true, isSubscribed: true, currentPeriodEnd: null };
    } catch (error) {
      if (error instanceof AppError && error.code === 'mobile.not_found') return null;
      throw error;
    }
  }
}
