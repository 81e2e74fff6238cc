import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import {
  CreditEntryRow,
  ExportUseRow,
  GiftRedemptionRow,
  PaymentRow,
  SubscriptionRow,
  TrialUseRow,
} from './account.entities.js';
import type { BillingAccount } from './state/billing-account.js';

type List = Exclude<keyof BillingAccount, 'userId'>;

/** Which table a list of the account lies in, and what names its rows. */
const TABLES: Readonly<Record<List, { readonly entity: EntityTarget<ObjectLiteral>; readonly key: string }>> = {
  payments: { entity: PaymentRow, key: 'id' },
  subscriptions: { entity: SubscriptionRow, key: 'id' },
  credits: { entity: CreditEntryRow, key: 'id' },
  exports: { entity: ExportUseRow, key: 'taskId' },
  trials: { entity: TrialUseRow, key: 'subscriptionId' },
  gifts: { entity: GiftRedemptionRow, key: 'id' },
};
const LISTS = Object.keys(TABLES) as List[];

/** Everything of a user. The caller holds the user's lock. */
export async function loadAccount(manager: EntityManager, userId: string): Promise<BillingAccount> {
  const where = { userId };
  return {
    userId,
    payments: await manager.findBy(PaymentRow, where),
    subscriptions: await manager.findBy(SubscriptionRow, where),
    credits: await manager.findBy(CreditEntryRow, where),
    exports: await manager.findBy(ExportUseRow, where),
    trials: await manager.findBy(TrialUseRow, where),
    gifts: await manager.findBy(GiftRedemptionRow, where),
  };
}

/** Writes what has changed between two states of an account, and nothing else. */
export async function saveDifference(
  manager: EntityManager,
  before: BillingAccount,
  after: BillingAccount,
): Promise<void> {
  for (const list of LISTS) {
    if (before[list] === after[list]) continue;
    const { entity, key } = TABLES[list];
    const [old, now]: readonly ObjectLiteral[][] = [[...before[list]], [...after[list]]];
    const kept = new Set(now?.map((row) => row[key]));
    const gone = (old ?? []).filter((row) => !kept.has(row[key])).map((row) => row[key]);
    const changed = (now ?? []).filter((row) => !old?.includes(row));
    if (gone.length > 0) await manager.delete(entity, gone);
    if (changed.length > 0) await manager.upsert(entity, changed, [key]);
  }
}
