import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { CheckoutRow } from './checkout.entity.js';
import { isCustomIdOf, type UserIds } from './custom-id.js';

@Injectable()
export class CheckoutRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  findById(id: string): Promise<CheckoutRow | null> {
    return this.database.manager.findOneBy(CheckoutRow, { id });
  }

  async find(customId: string | null): Promise<CheckoutRow | null> {
    return customId === null ? null : this.database.manager.findOneBy(CheckoutRow, { customId });
  }

  /** Whether an approval is the user's: by its `custom_id`, or by a checkout made as a guest before the login. */
  async isOwn(customId: string | null, user: UserIds): Promise<boolean> {
    if (isCustomIdOf(customId, user)) return true;
    return (await this.find(customId))?.userId === user.userId;
  }

  isOwnedBy(manager: EntityManager, id: string, userId: string): Promise<boolean> {
    return manager.existsBy(CheckoutRow, { id, userId });
  }

  existsSince(userId: string, start: Date): Promise<boolean> {
    return this.database.manager.existsBy(CheckoutRow, { userId, createdAt: MoreThan(start) });
  }

  async insert(manager: EntityManager, row: CheckoutRow): Promise<void> {
    await manager.insert(CheckoutRow, row);
  }

  async settle(id: string): Promise<void> {
    await this.database.query('UPDATE checkouts SET is_settled = true WHERE id = $1', [id]);
  }

  /** @param age as a PostgreSQL interval */
  async purgeReceiptEmails(age: string): Promise<void> {
    await this.database.query(
      'UPDATE checkouts SET receipt_email = NULL WHERE receipt_email IS NOT NULL AND created_at < now() - $1::interval',
      [age],
    );
  }
}
