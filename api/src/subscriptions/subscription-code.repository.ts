import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

export type CodePurpose = 'cancel' | 'portal';

interface NewCode {
  readonly hash: Buffer;
  readonly purpose: CodePurpose;
  readonly subscriptionId: string;
  readonly expiresAt: Date;
}

const VALID = 'hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3';

@Injectable()
export class SubscriptionCodeRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async countValid(manager: EntityManager, subscriptionId: string, purpose: CodePurpose, now: Date): Promise<number> {
    const [row]: { count: number }[] = await manager.query(
      `SELECT count(*)::int FROM subscription_codes
       WHERE subscription_id = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3`,
      [subscriptionId, purpose, now],
    );
    return row?.count ?? 0;
  }

  async insert(manager: EntityManager, { hash, purpose, subscriptionId, expiresAt }: NewCode): Promise<void> {
    await manager.query(
      `INSERT INTO subscription_codes (hash, purpose, subscription_id, expires_at)
       VALUES ($1, $2, $3, $4)`,
      [hash, purpose, subscriptionId, expiresAt],
    );
  }

  async subscriptionOf(hash: Buffer, purpose: CodePurpose, now: Date): Promise<string | null> {
    const [row]: { subscription_id: string }[] = await this.database.query(
      `SELECT subscription_id FROM subscription_codes WHERE ${VALID}`,
      [hash, purpose, now],
    );
    return row?.subscription_id ?? null;
  }

  async consume(hash: Buffer, purpose: CodePurpose, now: Date): Promise<boolean> {
    const [, consumed]: [unknown[], number] = await this.database.query(
      `UPDATE subscription_codes SET used_at = now() WHERE ${VALID}`,
      [hash, purpose, now],
    );
    return consumed === 1;
  }

  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM subscription_codes WHERE expires_at < now() - interval '30 days'`);
  }
}
