import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { IdentityProvider } from '../identity/provider/identity-provider.js';

/**
 * Accounts that are erased here and that the identity provider is still to forget. It is another company, and may be away
 * at that moment: what is asked for is written down in the transaction that erases, and tried until it is done.
 */
@Injectable()
export class ErasedIdentities {
  private readonly logger = new Logger(ErasedIdentities.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly provider: IdentityProvider,
  ) {}

  async remember(manager: EntityManager, uid: string): Promise<void> {
    await manager.query('INSERT INTO erased_identities (uid, erased_at) VALUES ($1, now()) ON CONFLICT DO NOTHING', [
      uid,
    ]);
  }

  /** Whoever logs in again has an account again. */
  async recall(manager: EntityManager, uid: string): Promise<void> {
    await manager.query('DELETE FROM erased_identities WHERE uid = $1', [uid]);
  }

  /** Deletes an identity at the provider, unless its user has logged in again. */
  async retry(uid: string): Promise<void> {
    const due: unknown[] = await this.database.query('SELECT FROM erased_identities WHERE uid = $1', [uid]);
    if (due.length === 0) return;
    await this.provider.forget(uid);
    await this.recall(this.database.manager, uid);
  }

  /** As {@link retry}, but leaves failures to retention. */
  async forget(uid: string): Promise<void> {
    try {
      await this.retry(uid);
    } catch (error) {
      this.logger.warn({ err: error }, 'the identity provider has not forgotten an erased account yet');
    }
  }
}
