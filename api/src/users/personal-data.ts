import type { UserExport } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What a capability holds about people, and what it can do with it. */
export interface PersonalData {
  /** Gives everything of one user to another, in the caller's transaction. */
  move(manager: EntityManager, from: string, to: string): Promise<void>;
  /** Everything of a user, in their own hands. */
  export(userId: string): Promise<Pick<UserExport, 'tasks'>>;
  /** Deletes everything of a user, bytes included. */
  erase(userId: string): Promise<void>;
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

  async export(userId: string): Promise<Pick<UserExport, 'tasks'>> {
    const parts = await Promise.all(this.holders.map((holder) => holder.export(userId)));
    return { tasks: parts.flatMap(({ tasks }) => tasks) };
  }

  async erase(userId: string): Promise<void> {
    for (const holder of this.holders) await holder.erase(userId);
  }
}
