import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditEntry } from './audit-entry.entity.js';

/** Records actions of staff and operators. */
@Injectable()
export class AuditService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @param manager the transaction of the action, so that both are atomic */
  async record(
    entry: Pick<AuditEntry, 'actor' | 'action' | 'details'>,
    manager: EntityManager = this.database.manager,
  ): Promise<void> {
    await manager.insert(AuditEntry, { id: randomUUID(), createdAt: new Date(), ...entry });
  }
}
