import type { TestProject } from 'vitest/node';
import { MIGRATIONS } from '../../../src/migrations/index.js';
import { DatabaseConfig } from '../../../src/platform/database/database.module.js';
import { migrateDatabase } from '../../../src/platform/database/migrate.js';
import { copyDatabase } from './stores.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Copied in a tenth of the time of migrating. */
    templateDatabase: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { name, url, drop } = await copyDatabase();
  await migrateDatabase(DatabaseConfig.fromEnvironment({ DATABASE_URL: url }), MIGRATIONS);
  project.provide('templateDatabase', name);
  return drop;
}
