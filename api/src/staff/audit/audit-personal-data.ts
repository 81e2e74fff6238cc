import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../../users/personal-data.js';
import { AuditEntry } from './audit-entry.entity.js';

const actorOf = (userId: string): string => `user:${userId}`;

/** A user's entries in the audit log. Erasure removes the user's id from them. */
@Injectable()
@HoldsPersonalData(['staffActions'])
export class AuditPersonalData implements PersonalData<'staffActions'> {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.update(AuditEntry, { actor: actorOf(from) }, { actor: actorOf(to) });
  }

  async export(userId: string): Promise<Pick<ExportedData, 'staffActions'>> {
    const entries = await this.database.manager.find(AuditEntry, {
      where: { actor: actorOf(userId) },
      order: { createdAt: 'ASC' },
    });
    return {
      staffActions: entries.map(({ action, details, createdAt }) => ({
        action,
        details: { ...details },
        createdAt: createdAt.toISOString(),
      })),
    };
  }

  async erase(userId: string): Promise<void> {
    await this.database.manager.update(AuditEntry, { actor: actorOf(userId) }, { actor: 'user:erased' });
  }
}
