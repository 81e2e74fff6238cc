import { ConfigurationError } from '@clearframe/runtime/config';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from './migrations/index.js';
import { DatabaseConfig } from './platform/config/database.config.js';
import { databaseOptions } from './platform/database/database.module.js';

/** Any number; two processes that migrate at once wait for each other on it. */
const MIGRATION_LOCK = 4_710_001;

/** Brings the schema up to date. Safe to run from several processes at once. */
async function migrate(): Promise<void> {
  const source = new DataSource({
    ...databaseOptions(DatabaseConfig.fromEnvironment(process.env)),
    migrations: MIGRATIONS,
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await source.runMigrations({ transaction: 'each' });
    process.stdout.write(`migrated: ${done.map(({ name }) => name).join(', ') || 'nothing to do'}\n`);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

migrate().catch((error: Error) => {
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
