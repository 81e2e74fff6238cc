import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditEntry } from './audit-entry.entity.js';

@Injectable()
export class AuditRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(entry: AuditEntry, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.insert(AuditEntry, entry);
  }

  listByActor(actor: string): Promise<AuditEntry[]> {
    return this.database.manager.find(AuditEntry, { where: { actor }, order: { createdAt: 'ASC' } });
  }

  async replaceActor(from: string, to: string, manager: EntityManager = this.database.manager): Promise<void> {
    await manager.update(AuditEntry, { actor: from }, { actor: to });
  }
}
