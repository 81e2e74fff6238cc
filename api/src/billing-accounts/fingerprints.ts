import { createHmac } from 'node:crypto';
import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { AccountRepository } from './account.repository.js';

const schema = z.object({ CLEARFRAME_FINGERPRINT_SECRET: secret() });

/**
 * Hashes fingerprints of payment methods, which outlive accounts. Keyed, so that a card can't be tested against a hash;
 * changing the key makes all trials available again.
 */
export class Fingerprints {
  private constructor(private readonly key: string) {}

  static fromEnvironment(environment: Environment): Fingerprints {
    return new Fingerprints(readEnvironment(schema, environment).CLEARFRAME_FINGERPRINT_SECRET);
  }

  hash(fingerprint: string): string {
    return createHmac('sha256', this.key).update(fingerprint).digest('base64url');
  }
}

/**
 * Hashes plain fingerprints of earlier versions. Runs at every start: the migration has no key, and an older process
 * may store more during a rolling deployment.
 */
@Injectable()
export class StoredFingerprints implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly trials: AccountRepository,
    private readonly fingerprints: Fingerprints,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.database.transaction(async (manager) => {
      for (const { subscription_id: id, fingerprint } of await this.trials.lockPlainFingerprints(manager)) {
        await this.trials.replaceFingerprint(manager, id, this.fingerprints.hash(fingerprint));
      }
    });
  }
}
