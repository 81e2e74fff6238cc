import { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { copyDatabase } from '../../../test/support/stores/stores.js';
import { DatabaseConfig, databaseOptions } from './database.module.js';
import { prepared } from './statements.js';

it('a connection plans a prepared statement once, and no other', async () => {
  const own = await copyDatabase();
  const options = databaseOptions(DatabaseConfig.fromEnvironment({ DATABASE_URL: own.url }));
  const database = await new DataSource(options).initialize();
  const statement = prepared('SELECT $1::int AS value');
  await database.transaction(async (manager) => {
    for (const value of [1, 2]) {
      expect(await manager.query(statement, [value])).toEqual([{ value }]);
      expect(await manager.query('SELECT $1::int + 1 AS value', [value])).toEqual([{ value: value + 1 }]);
    }
    const kept = await manager.query(
      'SELECT statement, (generic_plans + custom_plans)::int AS calls FROM pg_prepared_statements',
    );
    expect(kept).toEqual([{ statement, calls: 2 }]);
  });
  await database.destroy();
  await own.drop();
});
