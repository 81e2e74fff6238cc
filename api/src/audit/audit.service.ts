import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditRepository } from './audit.repository.js';
import type { AuditEntry } from './audit-entry.entity.js';

@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  async record(entry: Pick<AuditEntry, 'actor' | 'action' | 'details'>, manager?: EntityManager): Promise<void> {
    await this.repository.insert({ id: randomUUID(), createdAt: new Date(), ...entry }, manager);
  }
}
