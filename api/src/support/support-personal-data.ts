import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { SupportRequestsRepository } from './support-requests.repository.js';

@Injectable()
@HoldsPersonalData(['supportRequests'])
export class SupportPersonalData implements PersonalData<'supportRequests'> {
  constructor(private readonly requests: SupportRequestsRepository) {}

  move(manager: EntityManager, from: string, to: string): Promise<void> {
    return this.requests.move(manager, from, to);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'supportRequests'>> {
    const requests = await this.requests.listOwned(userId);
    return {
      supportRequests: requests.map(({ id, userId: _owner, role: _role, createdAt, sentAt, ...request }) => ({
        ...request,
        ticketId: id,
        createdAt: createdAt.toISOString(),
        sentAt: sentAt?.toISOString() ?? null,
      })),
    };
  }

  eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    return this.requests.deleteOfUser(manager, userId);
  }
}
