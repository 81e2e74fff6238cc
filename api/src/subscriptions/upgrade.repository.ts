import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  Column,
  DataSource,
  Entity,
  type EntityManager,
  type FindOptionsWhere,
  IsNull,
  Not,
  PrimaryColumn,
} from 'typeorm';
import { SubscriptionRow } from '../billing-accounts/account.entities.js';
import { isOpen } from '../billing-accounts/entitlements.js';

/** In order. Each has its own idempotency key. */
export type UpgradeStep = 'creating' | 'ending' | 'refunding' | 'done' | 'failed';

/** Stored before its first step, continued by reconciliation. */
@Entity('upgrades')
export class UpgradeRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('uuid')
  oldSubscriptionId!: string;

  @Column('uuid')
  newSubscriptionId!: string;

  @Column('text')
  step!: UpgradeStep;

  /** Refund as previewed. */
  @Column('int')
  refundCents!: number;

  @Column('int', { nullable: true })
  refundedCents!: number | null;

  @Column('timestamptz')
  createdAt!: Date;
}

@Injectable()
export class UpgradeRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  findById(id: string): Promise<UpgradeRow | null> {
    return this.database.manager.findOneBy(UpgradeRow, { id });
  }

  /** By its new subscription, while that is open. */
  async findOpen(where: FindOptionsWhere<SubscriptionRow>): Promise<UpgradeRow | null> {
    const { manager } = this.database;
    const row = (await manager.findBy(SubscriptionRow, { ...where, replacesId: Not(IsNull()) })).find(isOpen);
    return row ? manager.findOneBy(UpgradeRow, { newSubscriptionId: row.id }) : null;
  }

  findUnfailed(manager: EntityManager, oldSubscriptionId: string): Promise<UpgradeRow | null> {
    return manager.findOneBy(UpgradeRow, { oldSubscriptionId, step: Not('failed') });
  }

  async insert(manager: EntityManager, upgrade: UpgradeRow): Promise<void> {
    await manager.insert(UpgradeRow, upgrade);
  }

  async setStep(id: string, from: UpgradeStep, to: UpgradeStep): Promise<void> {
    await this.database.manager.update(UpgradeRow, { id, step: from }, { step: to });
  }

  async setRefund(manager: EntityManager, id: string, refundedCents: number): Promise<void> {
    await manager.update(UpgradeRow, id, { refundedCents });
  }
}
