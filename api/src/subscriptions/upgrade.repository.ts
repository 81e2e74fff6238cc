import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Not } from 'typeorm';
import { UpgradeRow, type UpgradeStep } from './upgrade.entity.js';

@Injectable()
export class UpgradeRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  findById(id: string): Promise<UpgradeRow | null> {
    return this.database.manager.findOneBy(UpgradeRow, { id });
  }

  findByNewSubscription(newSubscriptionId: string): Promise<UpgradeRow | null> {
    return this.database.manager.findOneBy(UpgradeRow, { newSubscriptionId });
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
