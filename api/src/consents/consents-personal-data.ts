import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { ConsentsRepository } from './consents.repository.js';

@Injectable()
@HoldsPersonalData(['consents'])
export class ConsentsPersonalData implements PersonalData<'consents'> {
  constructor(private readonly consents: ConsentsRepository) {}

  /** The newest answer prevails, whether it was given as a guest or as a member. */
  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await this.consents.move(manager, from, to);
    await this.consents.refreshUser(manager, from);
    await this.consents.refreshUser(manager, to);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'consents'>> {
    const changes = await this.consents.listOfUser(userId);
    return { consents: changes.map((change) => ({ ...change, createdAt: change.createdAt.toISOString() })) };
  }

  /** Changes made during the erasure are deleted with the account. */
  erase(userId: string): Promise<void> {
    return this.consents.deleteOfUser(userId);
  }
}
