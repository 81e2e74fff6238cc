import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { AuditRepository } from './audit.repository.js';

const actorOf = (userId: string): string => `user:${userId}`;

@Injectable()
@HoldsPersonalData(['staffActions'])
export class AuditPersonalData implements PersonalData<'staffActions'> {
  constructor(private readonly repository: AuditRepository) {}

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await this.repository.replaceActor(actorOf(from), actorOf(to), manager);
  }

  async export(userId: string): Promise<Pick<ExportedData, 'staffActions'>> {
    const entries = await this.repository.listByActor(actorOf(userId));
    return {
      staffActions: entries.map(({ action, details, createdAt }) => ({
        action,
        details: { ...details },
        createdAt: createdAt.toISOString(),
      })),
    };
  }

  async erase(userId: string): Promise<void> {
    await this.repository.replaceActor(actorOf(userId), 'user:erased');
  }
}
