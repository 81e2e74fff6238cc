import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { IdentityProvider } from '../identity/identity-provider.js';

/** Recorded in the erasing transaction and retried, because the provider may be unavailable. */
@Injectable()
export class ErasedIdentities {
  private readonly logger = new Logger(ErasedIdentities.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly provider: IdentityProvider,
  ) {}

  async record(manager: EntityManager, uid: string): Promise<void> {
    await manager.query('INSERT INTO erased_identities (uid, erased_at) VALUES ($1, now()) ON CONFLICT DO NOTHING', [
      uid,
    ]);
  }

  async cancel(manager: EntityManager, uid: string): Promise<void> {
    await manager.query('DELETE FROM erased_identities WHERE uid = $1', [uid]);
  }

  async retry(uid: string): Promise<void> {
    const rows: unknown[] = await this.database.query('SELECT FROM erased_identities WHERE uid = $1', [uid]);
    if (rows.length === 0) return;
    await this.provider.delete(uid);
    await this.cancel(this.database.manager, uid);
  }

  async delete(uid: string): Promise<void> {
    try {
      await this.retry(uid);
    } catch (error) {
      this.logger.warn(
        { err: error },
        'an erased account could not be deleted at the identity provider; retrying later',
      );
    }
  }
}
