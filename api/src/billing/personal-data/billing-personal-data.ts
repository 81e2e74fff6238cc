import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockUsers } from '../../platform/database/user-lock.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../../users/personal-data.js';
import { loadAccount } from '../account/account.repository.js';
import { BillingAccounts } from '../account/billing-accounts.js';
import { isOpen } from '../account/state/entitlements.js';
import { CardProvider, WalletProvider } from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';
import { BILLING_PARTS, type BillingPart, exportBilling } from './exported-billing.js';

/** What belongs to a guest when they log in. Their credits are good for any task from then on. */
const MOVES = [
  'UPDATE export_uses SET user_id = $2 WHERE user_id = $1',
  'UPDATE credit_entries SET user_id = $2, task_id = NULL WHERE user_id = $1',
  'UPDATE payments SET user_id = $2, task_id = NULL WHERE user_id = $1',
  'UPDATE video_uses SET user_id = $2 WHERE user_id = $1',
  'UPDATE checkouts SET user_id = $2 WHERE user_id = $1',
  // Two redemptions of one code are one.
  `DELETE FROM gift_redemptions g WHERE user_id = $1
   AND EXISTS (SELECT FROM gift_redemptions o WHERE o.user_id = $2 AND o.code_id = g.code_id)`,
  'DELETE FROM billing_customers WHERE user_id = $1',
];
const MOVES_GIFTS = 'UPDATE gift_redemptions SET user_id = $2 WHERE user_id = $1';

/** Tax law wants amounts and days kept; who it was goes. */
const FORGETS = [
  `DELETE FROM subscription_codes WHERE subscription_id IN (SELECT id FROM subscriptions WHERE user_id = $1)`,
  'UPDATE payments SET user_id = NULL, customer_id = NULL, payer_email = NULL, task_id = NULL WHERE user_id = $1',
  // One that its provider is still making is found by its customer, and ended then.
  `UPDATE subscriptions SET user_id = NULL, payment_method_id = NULL,
     customer_id = CASE WHEN status = 'pending' THEN customer_id END WHERE user_id = $1`,
  'UPDATE upgrades SET user_id = NULL WHERE user_id = $1',
  'DELETE FROM credit_entries WHERE user_id = $1',
  'DELETE FROM export_uses WHERE user_id = $1',
  // So that a card has one trial whatever account it comes with; nothing in the row leads back to the account.
  `UPDATE trial_uses SET user_id = NULL, subscription_id = gen_random_uuid()
   WHERE user_id = $1 AND fingerprint_hash IS NOT NULL`,
  'DELETE FROM trial_uses WHERE user_id = $1',
  'DELETE FROM gift_redemptions WHERE user_id = $1',
  'DELETE FROM video_uses WHERE user_id = $1',
  'DELETE FROM checkouts WHERE user_id = $1',
  'DELETE FROM billing_customers WHERE user_id = $1',
];

/** Moves, exports and erases a user's billing data. */
@Injectable()
@HoldsPersonalData(BILLING_PARTS)
export class BillingPersonalData implements PersonalData<BillingPart> {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
  ) {}

  /** The caller holds both users. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    for (const statement of MOVES) await manager.query(statement, statement.includes('$2') ? [from, to] : [from]);
    const [, gifts]: [unknown, number] = await manager.query(MOVES_GIFTS, [from, to]);
    if (gifts === 0) return;
    const merged = (_account: unknown, at: Date) => ({ events: [{ kind: 'guest_merged', at } as const], result: null });
    await this.accounts.changeIn(manager, to, merged);
  }

  export(userId: string): Promise<Pick<ExportedData, BillingPart>> {
    return exportBilling(this.database.manager, userId);
  }

  /** Nobody is charged for an account that is gone: what still runs is ended first. */
  async erase(userId: string): Promise<void> {
    const { subscriptions } = await loadAccount(this.database.manager, userId);
    for (const { id, provider, providerId } of subscriptions.filter(isOpen)) {
      if (!providerId || provider === 'mobile') continue;
      const company = provider === 'paypal' ? this.wallet : this.cards;
      await mapProviderErrors(company.endSubscription(providerId, `erase:${id}`));
    }
    await this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      for (const statement of FORGETS) await manager.query(statement, [userId]);
    });
  }

  /** A guest who has paid for something keeps their row. */
  async keeping(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const rows: { user_id: string }[] = await manager.query(
      `SELECT user_id FROM payments WHERE user_id = ANY ($1)
       UNION SELECT user_id FROM gift_redemptions WHERE user_id = ANY ($1)`,
      [userIds],
    );
    return rows.map((row) => row.user_id);
  }
}
