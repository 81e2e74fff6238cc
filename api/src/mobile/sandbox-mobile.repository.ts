import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type MobileAccount, MobileAccounts } from './mobile-accounts.js';

interface Row {
  readonly oracle_backend_id: string;
  readonly email: string;
}

/** Subscriptions never end. */
@Injectable()
export class SandboxMobileRepository extends MobileAccounts {
  constructor(@InjectDataSource() private readonly database: DataSource) {
    super();
  }

  /** Returns the account's id. */
  async subscribe(email: string): Promise<string> {
    const id = `sbx_mobile_${randomUUID()}`;
    await this.database.query('INSERT INTO sandbox_mobile_subscriptions VALUES ($1, $2, now())', [
      id,
      email.toLowerCase(),
    ]);
    return id;
  }

  async find(oracleBackendId: string): Promise<MobileAccount | null> {
    const [row]: Row[] = await this.database.query(
      'SELECT * FROM sandbox_mobile_subscriptions WHERE oracle_backend_id = $1',
      [oracleBackendId],
    );
    if (!row) return null;
    return { oracleBackendId, email: row.email, isEmailVerified: true, isSubscribed: true, currentPeriodEnd: null };
  }
}
