import type { AccessToken } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { PersonalDataRegistry } from '../platform/personal-data.js';
import { SessionService } from '../sessions/session.service.js';
import { FIRST_GUEST, type GuestCursor, newUser, UserRepository } from './user.repository.js';

const PURGE_BATCH = 500;

@Injectable()
export class GuestsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly users: UserRepository,
    private readonly sessions: SessionService,
    private readonly data: PersonalDataRegistry,
  ) {}

  create(): Promise<AccessToken> {
    return this.database.transaction(async (manager) => {
      const guest = newUser(null);
      await this.users.insert(manager, guest);
      return { accessToken: await this.sessions.open(guest, manager) };
    });
  }

  async move(manager: EntityManager, guestId: string, to: string): Promise<void> {
    await this.data.move(manager, guestId, to);
    await this.users.moveProfile(manager, guestId, to);
  }

  /**
   * Deletes abandoned guests without data.
   * @throws AggregateError for guests that could not be deleted, after the others were
   */
  async purge(): Promise<void> {
    const errors: unknown[] = [];
    for (let after: GuestCursor | undefined = FIRST_GUEST; after; ) {
      const batch = await this.users.listAbandonedGuests(after, PURGE_BATCH);
      const ids = batch.map(({ id }) => id);
      await this.deleteEmpty(ids).catch(async () => {
        for (const id of ids) await this.deleteEmpty([id]).catch((error: unknown) => errors.push(error));
      });
      after = batch.at(-1);
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} guests could not be deleted: ${errors[0]}`);
  }

  private async deleteEmpty(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.transaction(async (manager) => {
      await this.users.lockAll(manager, ids);
      const retained = new Set(await this.data.listRetained(manager, ids));
      await this.users.delete(
        manager,
        ids.filter((id) => !retained.has(id)),
      );
    });
  }
}
