import type { UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** The parts of a data export that capabilities add to the account's own. */
export type ExportedData = Omit<UserExport, 'exportedAt' | 'user' | 'profile' | 'sessions' | 'onboardings'>;

/** What a capability stores about users, and what it can do with it. */
export interface PersonalData {
  /** Gives everything of one user to another, in the caller's transaction. */
  move(manager: EntityManager, from: string, to: string): Promise<void>;
  export(userId: string): Promise<Partial<ExportedData>>;
  /** Deletes everything of a user, bytes included. */
  erase(userId: string): Promise<void>;
  /**
   * Deletes, in the transaction that deletes the account, what `erase` left or what was written after it. The caller
   * holds the user.
   */
  eraseWithAccount?(manager: EntityManager, userId: string): Promise<void>;
  /**
   * Which of these guests, whom nobody can act for any more, have something that must not go with their row. Left out by
   * holders whose rows may go.
   */
  keeping?(manager: EntityManager, userIds: readonly string[]): Promise<string[]>;
}

/** Capabilities register what they store about users; moving at login, exporting and erasing reach all of it. */
@Injectable()
export class PersonalDataRegistry {
  private readonly holders: PersonalData[] = [];

  register(holder: PersonalData): void {
    this.holders.push(holder);
  }

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    for (const holder of this.holders) await holder.move(manager, from, to);
  }

  async export(userId: string): Promise<ExportedData> {
    const parts = await Promise.all(this.holders.map((holder) => holder.export(userId)));
    return {
      tasks: parts.flatMap(({ tasks = [] }) => tasks),
      payments: parts.flatMap(({ payments = [] }) => payments),
      subscriptions: parts.flatMap(({ subscriptions = [] }) => subscriptions),
      checkouts: parts.flatMap(({ checkouts = [] }) => checkouts),
      upgrades: parts.flatMap(({ upgrades = [] }) => upgrades),
      receipts: parts.flatMap(({ receipts = [] }) => receipts),
      creditEntries: parts.flatMap(({ creditEntries = [] }) => creditEntries),
      downloads: parts.flatMap(({ downloads = [] }) => downloads),
      trials: parts.flatMap(({ trials = [] }) => trials),
      giftRedemptions: parts.flatMap(({ giftRedemptions = [] }) => giftRedemptions),
      videoUses: parts.flatMap(({ videoUses = [] }) => videoUses),
      providerCustomers: parts.flatMap(({ providerCustomers = [] }) => providerCustomers),
      mail: parts.flatMap(({ mail = [] }) => mail),
      staffActions: parts.flatMap(({ staffActions = [] }) => staffActions),
    };
  }

  async keeping(manager: EntityManager, userIds: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    for (const holder of this.holders) kept.push(...((await holder.keeping?.(manager, userIds)) ?? []));
    return kept;
  }

  async erase(userId: string): Promise<void> {
    for (const holder of this.holders) await holder.erase(userId);
  }

  async eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    for (const holder of this.holders) await holder.eraseWithAccount?.(manager, userId);
  }
}
