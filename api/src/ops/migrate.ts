import { ConfigurationError } from '@clearframe/runtime/config';
import { MIGRATIONS } from '../migrations/index.js';
import { DatabaseConfig } from '../platform/database/database.module.js';
import { migrateDatabase } from '../platform/database/migrate.js';

migrateDatabase(DatabaseConfig.fromEnvironment(process.env), MIGRATIONS)
  .then((done) => process.stdout.write(`migrated: ${done.join(', ') || 'nothing to do'}\n`))
  .catch((error: Error) => {
    process.stderr.write(`${error instanceof ConfigurationError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
