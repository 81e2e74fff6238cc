import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IdentityProvider } from '../identity/identity-provider.js';
import { ErasedIdentitiesRepository } from './erased-identities.repository.js';

/** Recorded in the erasing transaction and retried, because the provider may be unavailable. */
@Injectable()
export class ErasedIdentities {
  private readonly logger = new Logger(ErasedIdentities.name);

  constructor(
    private readonly repository: ErasedIdentitiesRepository,
    private readonly provider: IdentityProvider,
  ) {}

  record(manager: EntityManager, uid: string): Promise<void> {
    return this.repository.insert(manager, uid);
  }

  cancel(manager: EntityManager, uid: string): Promise<void> {
    return this.repository.delete(uid, manager);
  }

  async retry(uid: string): Promise<void> {
    if (!(await this.repository.has(uid))) return;
    await this.provider.delete(uid);
    await this.repository.delete(uid);
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
