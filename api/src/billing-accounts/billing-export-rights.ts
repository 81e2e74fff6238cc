import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { ExportRights } from '../tasks/export-rights.js';
import { AccountRepository } from './account.repository.js';
import { BillingAccounts } from './billing-accounts.js';
import type { BillingEvent } from './events.js';
import { exportSourceOf } from './reduce-export.js';

@Injectable()
export class BillingExportRights extends ExportRights {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly repository: AccountRepository,
  ) {
    super();
  }

  override async reserve(
    manager: EntityManager,
    { userId, isFree }: Pick<Caller, 'userId' | 'isFree'>,
    taskId: string,
  ): Promise<void> {
    // Cheaper than loading the account of a task that is paid for.
    if (await this.repository.exportOwnerOf(manager, taskId)) return;
    await this.accounts.changeIn(manager, userId, (account, at) => {
      if (!exportSourceOf(account, { taskId, isFree, at })) throw new AppError('exports.insufficient');
      return { events: [{ kind: 'export_reserved', id: randomUUID(), taskId, isFree, at }], result: null };
    });
  }

  override commit(manager: EntityManager, taskId: string): Promise<void> {
    return this.apply(manager, taskId, () => ({ kind: 'export_committed', taskId }));
  }

  override release(manager: EntityManager, taskId: string): Promise<void> {
    return this.apply(manager, taskId, (at) => ({ kind: 'export_released', taskId, at }));
  }

  override listUnlocked(taskIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.listUnlocked(taskIds);
  }

  private async apply(manager: EntityManager, taskId: string, event: (at: Date) => BillingEvent): Promise<void> {
    const owner = await this.repository.exportOwnerOf(manager, taskId);
    if (!owner) return;
    await this.accounts.changeIn(manager, owner, (_account, at) => ({ events: [event(at)], result: null }));
  }
}
