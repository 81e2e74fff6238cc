import type { UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What capabilities add to everything held about somebody. */
export type ExportedData = Pick<UserExport, 'tasks' | 'payments' | 'subscriptions' | 'checkouts'>;

/** What a capability holds about people, and what it can do with it. */
export interface PersonalData {
  /** Gives everything of one user to another, in the caller's transaction. */
  move(manager: EntityManager, from: string, to: string): Promise<void>;
  /** Everything of a user, in their own hands. */
  export(userId: string): Promise<Partial<ExportedData>>;
  /** Deletes everything of a user, bytes included. */
  erase(userId: string): Promise<void>;
  /**
   * Which of these guests, whom nobody can act for any more, have something that must not go with their row. Left out by
   * holders whose rows may go.
   */
  keeping?(manager: EntityManager, userIds: readonly string[]): Promise<string[]>;
}

/** Where capabilities say that they hold something: moving at login and erasing reach all of it, also what comes later. */
@Injectable()
export class PersonalDataRegistry implements PersonalData {
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
}
