import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditEntry } from './audit-entry.entity.js';

/** Writes down who used power over others' accounts and over what is sold. */
@Injectable()
export class AuditService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @param manager the transaction of the deed, so that neither is there without the other */
  async record(
    entry: Pick<AuditEntry, 'actor' | 'action' | 'details'>,
    manager: EntityManager = this.database.manager,
  ): Promise<void> {
    await manager.insert(AuditEntry, { id: randomUUID(), createdAt: new Date(), ...entry });
  }
}
