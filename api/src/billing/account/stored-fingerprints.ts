import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Fingerprints } from './fingerprints.js';

/**
 * Hashes the fingerprints that earlier versions stored plain. Done at every start, because the migration has no key, and
 * an older process may have written one while this version was being rolled out.
 */
@Injectable()
export class StoredFingerprints implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly fingerprints: Fingerprints,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.database.transaction(async (manager) => {
      const rows: { subscription_id: string; fingerprint: string }[] = await manager.query(
        'SELECT subscription_id, fingerprint FROM trial_uses WHERE fingerprint IS NOT NULL FOR UPDATE',
      );
      for (const { subscription_id: id, fingerprint } of rows) {
        const hash = this.fingerprints.hash(fingerprint);
        // One that has the same hash already says the same.
        await manager.query(
          `UPDATE trial_uses SET fingerprint = NULL, fingerprint_hash = CASE
             WHEN NOT EXISTS (SELECT FROM trial_uses o WHERE o.fingerprint_hash = $2) THEN $2 END
           WHERE subscription_id = $1`,
          [id, hash],
        );
      }
    });
  }
}
