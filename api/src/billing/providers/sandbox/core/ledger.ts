import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';
import { newId, newSecret, sha256 } from './ids.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxDatabase } from './sandbox-database.js';
import { IdempotentRequest, LedgerEvent, LedgerSystem } from './system.entities.js';

/** A malformed or disallowed request: an error of the caller. */
export class InvalidSandboxRequest extends Error {
  override readonly name = 'InvalidSandboxRequest';
}

export interface Subject {
  readonly kind: LedgerEvent['subjectKind'];
  readonly id: string;
  readonly provider: ProviderName;
}

export interface LedgerTransaction {
  readonly manager: EntityManager;
  /** Billing time. */
  readonly now: Date;
  /** Stores an event, delivered after the commit. */
  emit(type: string, subject: Subject): Promise<void>;
  /** The same transaction at another time. Moves the clock forward if it is behind. */
  at(moment: Date): Promise<LedgerTransaction>;
}

class RunningTransaction implements LedgerTransaction {
  readonly now: Date;

  constructor(
    readonly manager: EntityManager,
    readonly after: { offsetMs: number; hasEvents: boolean },
    now?: Date,
  ) {
    this.now = now ?? new Date(Date.now() + after.offsetMs);
  }

  async emit(type: string, { kind, id, provider }: Subject): Promise<void> {
    this.after.hasEvents = true;
    await this.manager.insert(LedgerEvent, {
      id: newId('evt'),
      type,
      provider,
      subjectKind: kind,
      subjectId: id,
      createdAt: this.now,
      attempts: 0,
      nextAttemptAt: new Date(),
      deliveredAt: null,
    });
  }

  async at(moment: Date): Promise<LedgerTransaction> {
    const offsetMs = moment.getTime() - Date.now();
    if (offsetMs > this.after.offsetMs) {
      this.after.offsetMs = offsetMs;
      await this.manager.update(LedgerSystem, { id: 1 }, { clockOffsetMs: String(offsetMs) });
    }
    return new RunningTransaction(this.manager, this.after, moment);
  }
}

/** Transactions are serialized by a lock on one row. */
@Injectable()
export class SandboxLedger {
  private eventListener: () => void = () => undefined;

  constructor(
    private readonly database: SandboxDatabase,
    private readonly clock: SandboxClock,
  ) {}

  /** Called after a transaction that emitted events. */
  onEvents(listener: () => void): void {
    this.eventListener = listener;
  }

  async transact<Result>(handle: (tx: LedgerTransaction) => Promise<Result>): Promise<Result> {
    const database = await this.database.open();
    const [result, after] = await database.transaction(async (manager) => {
      const system = await this.lockSystem(manager);
      const tx = new RunningTransaction(manager, { offsetMs: Number(system.clockOffsetMs), hasEvents: false });
      return [await handle(tx), tx.after] as const;
    });
    this.clock.applyOffset(after.offsetMs);
    if (after.hasEvents) this.eventListener();
    return result;
  }

  /** Idempotent: a repeated key returns the first call's result. */
  once<Result>(
    key: string,
    operation: string,
    parameters: Readonly<Record<string, string | number | boolean | null>>,
    handle: (tx: LedgerTransaction) => Promise<Result>,
  ): Promise<Result> {
    const fingerprint = sha256(JSON.stringify([operation, Object.entries(parameters).sort()]));
    return this.transact(async (tx) => {
      const earlier = await tx.manager.findOneBy(IdempotentRequest, { key });
      if (earlier && earlier.fingerprint !== fingerprint) {
        throw new InvalidSandboxRequest('this key belongs to a request with other parameters');
      }
      if (earlier) return earlier.result as Result;
      const result = await handle(tx);
      await tx.manager.insert(IdempotentRequest, { key, fingerprint, result: result as object });
      return result;
    });
  }

  /** In a consistent snapshot. */
  async read<Result>(handle: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    const database = await this.database.open();
    return database.transaction('REPEATABLE READ', handle);
  }

  /** Generated once and stored in the ledger. */
  async webhookSecret(): Promise<string> {
    const database = await this.database.open();
    const system = await database.manager.findOneBy(LedgerSystem, { id: 1 });
    return (system ?? (await database.transaction((manager) => this.lockSystem(manager)))).webhookSecret;
  }

  /** Serializes all transactions. */
  private async lockSystem(manager: EntityManager): Promise<LedgerSystem> {
    const lock = { where: { id: 1 }, lock: { mode: 'pessimistic_write' as const } };
    const system = await manager.findOne(LedgerSystem, lock);
    if (system) return system;
    await manager
      .createQueryBuilder()
      .insert()
      .into(LedgerSystem)
      .values({ id: 1, clockOffsetMs: '0', webhookSecret: newSecret() })
      .orIgnore()
      .execute();
    return manager.findOneOrFail(LedgerSystem, lock);
  }
}
