import { setTimeout as delay } from 'node:timers/promises';
import { inMilliseconds } from '@clearframe/contract';
import { DataSource, type DataSourceOptions, QueryFailedError } from 'typeorm';
import { type DatabaseConfig, databaseOptions } from './database.module.js';

/** Serializes concurrent migrations. */
const MIGRATION_LOCK = 4_710_001;
/** SQLSTATE `lock_not_available`. */
const LOCK_TIMED_OUT = '55P03';

export interface MigrationTimes {
  /** Later queries of a table queue behind a statement that waits for its lock, so the wait is short. */
  readonly lockTimeoutMs: number;
  /** Lets those queries run before the next attempt. */
  readonly pauseMs: number;
  readonly giveUpAfterMs: number;
}

const TIMES: MigrationTimes = {
  lockTimeoutMs: inMilliseconds.seconds(2),
  pauseMs: inMilliseconds.seconds(3),
  giveUpAfterMs: inMilliseconds.minutes(5),
};

/**
 * Runs pending migrations, each in its own transaction. Safe to run concurrently. Statements may take any time, waiting
 * for locks may not.
 * @returns names of the migrations
 */
export async function migrateDatabase(
  config: DatabaseConfig,
  migrations: DataSourceOptions['migrations'],
  times: MigrationTimes = TIMES,
): Promise<string[]> {
  const { extra, ...options } = databaseOptions(config);
  const { statement_timeout: _statementTimeout, query_timeout: _queryTimeout, ...connection } = extra;
  const source = new DataSource({
    ...options,
    migrations,
    extra: { ...connection, lock_timeout: times.lockTimeoutMs },
  });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SET lock_timeout = 0');
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await runAll(source, times);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
    await source.destroy();
  }
}

async function runAll(source: DataSource, { pauseMs, giveUpAfterMs }: MigrationTimes): Promise<string[]> {
  const before = await namesOfDone(source);
  const end = Date.now() + giveUpAfterMs;
  for (;;) {
    try {
      await source.runMigrations({ transaction: 'each' });
      return (await namesOfDone(source)).filter((name) => !before.includes(name));
    } catch (error) {
      const isLocked = error instanceof QueryFailedError && error.driverError.code === LOCK_TIMED_OUT;
      if (!isLocked || Date.now() > end) throw error;
      await delay(pauseMs);
    }
  }
}

async function namesOfDone(source: DataSource): Promise<string[]> {
  const [{ table }] = await source.query(`SELECT to_regclass('migrations') AS table`);
  if (table === null) return [];
  const rows: { name: string }[] = await source.query('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}
