import { type ErrorCode, isErrorCode } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

@Injectable()
export class RefusedApprovalRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async reasonOf(providerId: string, manager: EntityManager = this.database.manager): Promise<ErrorCode | null> {
    const [row]: { reason: string }[] = await manager.query(
      'SELECT reason FROM refused_approvals WHERE provider_id = $1',
      [providerId],
    );
    return row && isErrorCode(row.reason) ? row.reason : null;
  }

  async isFulfilled(manager: EntityManager, providerId: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT FROM subscriptions WHERE provider = 'paypal' AND provider_id = $1
       UNION ALL SELECT FROM payments WHERE provider = 'paypal' AND provider_id = $1`,
      [providerId],
    );
    return rows.length > 0;
  }

  async insert(manager: EntityManager, providerId: string, reason: ErrorCode): Promise<void> {
    await manager.query(
      `INSERT INTO refused_approvals (provider_id, reason, created_at) VALUES ($1, $2, now())
       ON CONFLICT DO NOTHING`,
      [providerId, reason],
    );
  }
}
