import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BillingClock } from '../../port/payment-provider.js';
import { SandboxDatabase } from './sandbox-database.js';
import { LedgerSystem } from './system.entities.js';

/**
 * Real time plus an offset that only grows. Kept in memory, because it is read within transactions; the scheduler reads
 * other processes' changes every second.
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
    if (system) this.applyOffset(Number(system.clockOffsetMs));
  }

  /** The clock doesn't go back. */
  applyOffset(offsetMs: number): void {
    this.offsetMs = Math.max(this.offsetMs, offsetMs);
  }
}
