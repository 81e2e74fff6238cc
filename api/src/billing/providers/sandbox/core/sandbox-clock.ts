import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BillingClock } from '../../port/payment-provider.js';
import { SandboxDatabase } from './sandbox-database.js';
import { LedgerSystem } from './system.entities.js';

/**
 * Real time plus an offset in the ledger that only grows. It is read within transactions, so it answers from memory;
 * the scheduler refreshes it every second with the offset that another process has set.
 */
@Injectable()
export class SandboxClock extends BillingClock implements OnApplicationBootstrap {
  private offsetMs = 0;

  constructor(private readonly database: SandboxDatabase) {
    super();
  }

  onApplicationBootstrap(): Promise<void> {
    return this.refresh();
  }

  override async now(): Promise<Date> {
    return new Date(Date.now() + this.offsetMs);
  }

  async refresh(): Promise<void> {
    const { manager } = await this.database.open();
    const system = await manager.findOneBy(LedgerSystem, { id: 1 });
    if (system) this.remember(Number(system.clockOffsetMs));
  }

  /** Applies an offset that was read or written elsewhere. The clock doesn't go back. */
  remember(offsetMs: number): void {
    this.offsetMs = Math.max(this.offsetMs, offsetMs);
  }
}
