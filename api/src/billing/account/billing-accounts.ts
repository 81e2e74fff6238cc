import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockUsers } from '../../platform/database/user-lock.js';
import { BillingClock } from '../providers/port/payment-provider.js';
import { SubscriptionRow } from './account.entities.js';
import { loadAccount, saveDifference } from './account.repository.js';
import { Fingerprints } from './fingerprints.js';
import type { BillingAccount } from './state/billing-account.js';
import type { BillingEvent } from './state/events.js';
import { reduce } from './state/reduce.js';

/** What somebody makes of an account: what happens to it, and what is to be answered. */
interface Decision<Result> {
  readonly events: readonly BillingEvent[];
  readonly result: Result;
}
export type Decide<Result> = (account: BillingAccount, now: Date) => Decision<Result>;

/** An account as it stands after the decision, too. */
export interface AccountChange<Result> {
  readonly account: BillingAccount;
  readonly result: Result;
  readonly now: Date;
}

/** What else belongs into the transaction of a change. */
export interface TransactionHooks<Result> {
  /** With the lock held, before the account is loaded. */
  readonly before?: (manager: EntityManager) => Promise<void>;
  /** After the account was saved. */
  readonly after?: (manager: EntityManager, changed: AccountChange<Result>) => Promise<void>;
}

/** Which kind of row is looked up by its own id; its owner may change by a login. */
type OwnedTable = 'payments' | 'subscriptions';

/** Accounts are changed here: locked, loaded whole, reduced, and saved by difference, one change of a user at a time. */
@Injectable()
export class BillingAccounts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: BillingClock,
    private readonly fingerprints: Fingerprints,
  ) {}

  /** In a transaction of its own. The decision must not ask anybody outside: the lock is held while it is made. */
  change<Result>(
    userId: string,
    decide: Decide<Result>,
    around: TransactionHooks<Result> = {},
  ): Promise<AccountChange<Result>> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      await around.before?.(manager);
      const changed = await this.changeIn(manager, userId, decide);
      await around.after?.(manager, changed);
      return changed;
    });
  }

  /** In the caller's transaction, which holds the user's lock. */
  async changeIn<Result>(
    manager: EntityManager,
    userId: string,
    decide: Decide<Result>,
  ): Promise<AccountChange<Result>> {
    const now = await this.clock.now();
    const before = await loadAccount(manager, userId);
    const { events, result } = decide(before, now);
    const account = events.map((event) => this.hashed(event)).reduce(reduce, before);
    await saveDifference(manager, before, account);
    return { account, result, now };
  }

  /** Plain fingerprints end here: what is stored and compared is their keyed hash. */
  private hashed(event: BillingEvent): BillingEvent {
    const hash = (fingerprint: string | null) => fingerprint && this.fingerprints.hash(fingerprint);
    if (event.kind === 'subscription_ordered') return { ...event, fingerprint: hash(event.fingerprint) };
    if (event.kind !== 'subscription_synced') return event;
    return { ...event, snapshot: { ...event.snapshot, fingerprint: hash(event.snapshot.fingerprint) } };
  }

  /**
   * The account that a row belongs to, whoever that is by now. Null for a row without owner, and for none at all.
   */
  async changeOwningAccount<Result>(
    table: OwnedTable,
    rowId: string,
    decide: Decide<Result>,
    after?: TransactionHooks<Result>['after'],
  ): Promise<AccountChange<Result> | null> {
    for (;;) {
      const owner = await this.ownerOf(this.database.manager, table, rowId);
      if (!owner) return null;
      const changed = await this.database.transaction(async (manager) => {
        await lockUsers(manager, owner);
        // A login has moved it on between the two looks.
        if ((await this.ownerOf(manager, table, rowId)) !== owner) return null;
        const done = await this.changeIn(manager, owner, decide);
        await after?.(manager, done);
        return done;
      });
      if (changed) return changed;
    }
  }

  private async ownerOf(manager: EntityManager, table: OwnedTable, rowId: string): Promise<string | null> {
    const [row]: { user_id: string | null }[] = await manager.query(`SELECT user_id FROM ${table} WHERE id = $1`, [
      rowId,
    ]);
    return row?.user_id ?? null;
  }

  /** Whether a subscription of the mobile app is linked to anybody. */
  isMobileLinked(manager: EntityManager, oracleBackendId: string): Promise<boolean> {
    return manager.existsBy(SubscriptionRow, { provider: 'mobile', providerId: oracleBackendId });
  }
}
