import type { PurchaseKind } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, MoreThan, PrimaryColumn } from 'typeorm';
import { lockUsers } from '../platform/database/statements.js';
import type { ProviderName } from '../providers/payment-provider.js';

@Entity('checkouts')
export class CheckoutRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') provider!: ProviderName;
  @Column('text') kind!: PurchaseKind;
  @Column('text') priceId!: string;
  @Column('text', { nullable: true }) introPriceId!: string | null;
  @Column('boolean') trial!: boolean;
  /** The task to unlock, or to return to. */
  @Column('uuid', { nullable: true }) taskId!: string | null;
  @Column('int') unlockedExports!: number;
  @Column('text', { nullable: true }) version!: string | null;
  /** Row of the subscription that is upgraded or changed, or whose invoice a retry pays. */
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** `custom_id` at the wallet: `{webUserId}-{suffix}`. Null by card. */
  @Column('text', { nullable: true }) customId!: string | null;
  @Column('text', { nullable: true }) receiptEmail!: string | null;
  @Column('timestamptz') createdAt!: Date;
}

interface UserIds {
  readonly userId: string;
  readonly firebaseUid: string | null;
}

export function userIdInCustomId(customId: string | null): string | null {
  const dash = customId?.lastIndexOf('-') ?? -1;
  return customId !== null && dash > 0 && dash < customId.length - 1 ? customId.slice(0, dash) : null;
}

function isCustomIdOf(customId: string | null, { userId, firebaseUid }: UserIds): boolean {
  const user = userIdInCustomId(customId);
  return user !== null && (user === userId || user === firebaseUid);
}

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

  /** @param hold of the session: a concurrent login then moves the row */
  insert(row: CheckoutRow, hold: (manager: EntityManager) => Promise<void>): Promise<void> {
    return this.database.transaction(async (manager) => {
      await lockUsers(manager, row.userId);
      await hold(manager);
      await manager.insert(CheckoutRow, row);
    });
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
