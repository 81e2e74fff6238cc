import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CheckoutRow } from './checkout.entity.js';
import { isCustomIdOf, type UserIds } from './custom-id.js';

/** Checkouts by the `custom_id` that a wallet's approval carries. */
@Injectable()
export class CheckoutRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** The checkout that an approval belongs to; its owner may have logged in since. */
  async find(customId: string | null): Promise<CheckoutRow | null> {
    return customId === null ? null : this.database.manager.findOneBy(CheckoutRow, { customId });
  }

  /** Whether an approval is a user's: by its `custom_id`, or as the guest's who has logged in as this user. */
  async isOwn(customId: string | null, user: UserIds): Promise<boolean> {
    if (isCustomIdOf(customId, user)) return true;
    return (await this.find(customId))?.userId === user.userId;
  }

  /** Nothing more is expected of it. */
  async settle(id: string): Promise<void> {
    await this.database.query('UPDATE checkouts SET is_settled = true WHERE id = $1', [id]);
  }
}
