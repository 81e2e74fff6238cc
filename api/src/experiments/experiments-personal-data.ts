import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { VisitorsRepository } from './visitors.repository.js';

@Injectable()
@HoldsPersonalData(['localStorageIds', 'forcedSegments'])
export class ExperimentsPersonalData implements PersonalData<'localStorageIds' | 'forcedSegments'> {
  constructor(private readonly visitors: VisitorsRepository) {}

  move(manager: EntityManager, from: string, to: string): Promise<void> {
    return this.visitors.move(manager, from, to);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'localStorageIds' | 'forcedSegments'>> {
    const [ids, forced] = await Promise.all([this.visitors.listIds(userId), this.visitors.listForced(userId)]);
    const dated = <Row extends { readonly createdAt: Date }>(row: Row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
    });
    return { localStorageIds: ids.map(dated), forcedSegments: forced.map(dated) };
  }

  erase(userId: string): Promise<void> {
    return this.visitors.deleteOf(userId);
  }

  eraseWithAccount(manager: EntityManager, userId: string): Promise<void> {
    return this.visitors.deleteOf(userId, manager);
  }
}
