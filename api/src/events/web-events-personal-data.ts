import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { WebEventsRepository } from './web-events.repository.js';

@Injectable()
@HoldsPersonalData(['events'])
export class WebEventsPersonalData implements PersonalData<'events'> {
  constructor(private readonly events: WebEventsRepository) {}

  move(manager: EntityManager, from: string, to: string): Promise<void> {
    return this.events.move(manager, from, to);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'events'>> {
    const events = await this.events.listOfUser(userId);
    return {
      events: events.map(({ id, occurredAt, ...event }) => ({
        ...event,
        eventId: id,
        occurredAt: occurredAt.toISOString(),
      })),
    };
  }

  /** Events sent during the erasure are deleted with the account. */
  erase(userId: string): Promise<void> {
    return this.events.deleteOfUser(userId);
  }
}
