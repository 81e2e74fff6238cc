import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { AccountRepository } from './account.repository.js';
import type { BillingEvent } from './billing-account.js';
import { BillingAccounts } from './billing-accounts.js';
import { exportSourceOf } from './reduce.js';

/** Charges clean full-size downloads to plans and credits. A task is charged at most once, whatever its downloads. */
@Injectable()
export class ExportRights {
  constructor(
    private readonly accounts: BillingAccounts,
    private readonly repository: AccountRepository,
  ) {}

  /**
   * Reserves a download in the caller's transaction, unless the task has one.
   * @throws AppError `exports.insufficient`
   */
  async reserve(
    manager: EntityManager,
    { userId, isFree }: { readonly userId: string; readonly isFree: boolean },
    taskId: string,
  ): Promise<void> {
    // Cheaper than loading the account of a task that is paid for.
    if (await this.repository.exportOwnerOf(manager, taskId)) return;
    await this.accounts.changeIn(manager, userId, (account, at) => {
      if (!exportSourceOf(account, { taskId, isFree, at })) throw new AppError('exports.insufficient');
      return { events: [{ kind: 'export_reserved', id: randomUUID(), taskId, isFree, at }], result: null };
    });
  }

  commit(manager: EntityManager, taskId: string): Promise<void> {
    return this.apply(manager, taskId, () => ({ kind: 'export_committed', taskId }));
  }

  release(manager: EntityManager, taskId: string): Promise<void> {
    return this.apply(manager, taskId, (at) => ({ kind: 'export_released', taskId, at }));
  }

  private async apply(manager: EntityManager, taskId: string, event: (at: Date) => BillingEvent): Promise<void> {
    const owner = await this.repository.exportOwnerOf(manager, taskId);
    if (!owner) return;
    await this.accounts.changeIn(manager, owner, (_account, at) => ({ events: [event(at)], result: null }));
  }
}
