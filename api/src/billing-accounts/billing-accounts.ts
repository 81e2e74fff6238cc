import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockUsers } from '../platform/database/statements.js';
import { BillingClock } from '../providers/billing-clock.js';
import { AccountRepository, type OwnedTable } from './account.repository.js';
import type { BillingAccount, BillingEvent } from './billing-account.js';
import { Fingerprints } from './fingerprints.js';
import { reduce } from './reduce.js';

interface Decision<Result> {
  readonly events: readonly BillingEvent[];
  readonly result: Result;
}
export type Decide<Result> = (account: BillingAccount, now: Date) => Decision<Result>;

export interface AccountChange<Result> {
  readonly account: BillingAccount;
  readonly result: Result;
  readonly now: Date;
}

export interface TransactionHooks<Result> {
  /** Runs with the lock held, before the account is loaded. */
  readonly before?: (manager: EntityManager) => Promise<void>;
  readonly after?: (manager: EntityManager, change: AccountChange<Result>) => Promise<void>;
}

@Injectable()
export class BillingAccounts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly repository: AccountRepository,
    private readonly clock: BillingClock,
    private readonly fingerprints: Fingerprints,
  ) {}

  /** Opens a transaction. `decide` must not call a provider, because it runs under a lock. */
  change<Result>(
    userId: string,
    decide: Decide<Result>,
    hooks: TransactionHooks<Result> = {},
  ): Promise<AccountChange<Result>> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, userId);
      await hooks.before?.(manager);
      const change = await this.changeIn(manager, userId, decide);
      await hooks.after?.(manager, change);
      return change;
    });
  }

  async changeIn<Result>(
    manager: EntityManager,
    userId: string,
    decide: Decide<Result>,
  ): Promise<AccountChange<Result>> {
    const now = this.clock.now();
    const before = await this.repository.load(userId, manager);
    const { events, result } = decide(before, now);
    const account = events.map((event) => this.withHashedFingerprint(event)).reduce(reduce, before);
    await this.repository.saveDifference(manager, before, account);
    return { account, result, now };
  }

  private withHashedFingerprint(event: BillingEvent): BillingEvent {
    const hash = (fingerprint: string | null) => fingerprint && this.fingerprints.hash(fingerprint);
    if (event.kind === 'subscription_ordered') return { ...event, fingerprint: hash(event.fingerprint) };
    if (event.kind !== 'subscription_synced') return event;
    return { ...event, snapshot: { ...event.snapshot, fingerprint: hash(event.snapshot.fingerprint) } };
  }

  /** Changes the account that owns a row. Null for an unknown row or one without owner. */
  async changeOwningAccount<Result>(
    table: OwnedTable,
    rowId: string,
    decide: Decide<Result>,
    after?: TransactionHooks<Result>['after'],
  ): Promise<AccountChange<Result> | null> {
    for (;;) {
      const owner = await this.repository.ownerOf(table, rowId);
      if (!owner) return null;
      const change = await this.database.transaction(async (manager) => {
        await lockUsers(manager, owner);
        // A login changed the owner before the lock was acquired.
        if ((await this.repository.ownerOf(table, rowId, manager)) !== owner) return null;
        const done = await this.changeIn(manager, owner, decide);
        await after?.(manager, done);
        return done;
      });
      if (change) return change;
    }
  }

  isMobileLinked(manager: EntityManager, oracleBackendId: string): Promise<boolean> {
    return this.repository.subscriptionExists({ provider: 'mobile', providerId: oracleBackendId }, manager);
  }
}
