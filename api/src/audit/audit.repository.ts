import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';

/** An action of staff or an operator, or a change of an account's keys. Contains no secrets. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn('uuid')
  id!: string;

  /** A user (`user:…`), an unauthenticated client (`address:…`) or an operator (`operator:…`). */
  @Column('text')
  actor!: string;

  /** For instance `gift_codes.create`. */
  @Column('text')
  action!: string;

  @Column('jsonb')
  details!: object;

  @Column('timestamptz')
  createdAt!: Date;
}

const actorOf = (userId: string): string => `user:${userId}`;

@Injectable()
@HoldsPersonalData(['staffActions'])
export class AuditRepository implements PersonalData<'staffActions'> {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async record(
    entry: Pick<AuditEntry, 'actor' | 'action' | 'details'>,
    manager: EntityManager = this.database.manager,
  ): Promise<void> {
    await manager.insert(AuditEntry, { id: randomUUID(), createdAt: new Date(), ...entry });
  }

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

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditRepository],
  exports: [AuditRepository],
})
export class AuditModule {}
