import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Fingerprints } from './fingerprints.js';
import { TrialRepository } from './trial.repository.js';

/**
 * Hashes plain fingerprints of earlier versions. Runs at every start: the migration has no key, and an older process
 * may store more during a rolling deployment.
 */
@Injectable()
export class StoredFingerprints implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly trials: TrialRepository,
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
