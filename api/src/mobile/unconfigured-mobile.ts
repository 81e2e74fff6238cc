import { notConfigured } from '../platform/errors/app-error.js';
import { MobileAccounts } from './mobile-accounts.js';

export class UnconfiguredMobile extends MobileAccounts {
  async find(): Promise<never> {
    throw notConfigured('mobile accounts');
  }
}
