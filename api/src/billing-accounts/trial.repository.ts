import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

@Injectable()
export class TrialRepository {
  lockPlainFingerprints(manager: EntityManager): Promise<{ subscription_id: string; fingerprint: string }[]> {
    return manager.query(
      'SELECT subscription_id, fingerprint FROM trial_uses WHERE fingerprint IS NOT NULL FOR UPDATE',
    );
  }

  async replaceFingerprint(manager: EntityManager, subscriptionId: string, hash: string): Promise<void> {
    await manager.query(
      `UPDATE trial_uses SET fingerprint = NULL, fingerprint_hash = CASE
         WHEN NOT EXISTS (SELECT FROM trial_uses o WHERE o.fingerprint_hash = $2) THEN $2 END
       WHERE subscription_id = $1`,
      [subscriptionId, hash],
    );
  }
}
