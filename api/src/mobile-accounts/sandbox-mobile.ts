import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import { fetchSandbox } from '../platform/sandbox.js';
import { type MobileAccount, MobileAccounts } from './mobile-accounts.js';

const Account = z.object({ email: z.email() });

/** Accounts that the sandbox keeps; their subscriptions never end. */
export class SandboxMobile extends MobileAccounts {
  constructor(private readonly url: string) {
    super();
  }

  override async find(oracleBackendId: string): Promise<MobileAccount | null> {
    const response = await fetchSandbox(`${this.url}/internal/mobile/accounts/${encodeURIComponent(oracleBackendId)}`);
    if (response.status === 404) return null;
    if (!response.ok) throw new AppError('service.unavailable', { internal: `the sandbox: ${response.status}` });
    const { email } = Account.parse(await response.json());
    return { oracleBackendId, email, isEmailVerified: true, isSubscribed: true, currentPeriodEnd: null };
  }
}
