/** Part of `pnpm lint`: SQL of `api` is in repositories (docs/decisions/0004-sql-in-repositories.md). */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The reasons are in that decision. */
const EXEMPT = [
  'api/src/migrations/**',
  'api/src/platform/**',
  'api/src/runs/run-notifications.ts',
  'api/src/**/*.repository.ts',
  'api/src/**/*.test.ts',
];
const STATEMENT =
  /\.(query|createQueryBuilder|findOneBy|findBy|existsBy|countBy)\(|\bmanager\s*\.(insert|update|upsert|delete|save|find|findOne|count)\(/;
const WITHOUT_COLUMNS = /INSERT INTO \w+ (VALUES|SELECT)\b/;

const outside = globSync('api/src/**/*.ts', { cwd: ROOT, exclude: EXEMPT }).filter((file) =>
  STATEMENT.test(readFileSync(path.join(ROOT, file), 'utf8')),
);
for (const file of outside) console.error(`${file}: SQL outside a repository`);

const unnamed = globSync('api/src/**/*.ts', {
  cwd: ROOT,
  exclude: ['api/src/migrations/**', 'api/src/**/*.test.ts'],
}).filter((file) => WITHOUT_COLUMNS.test(readFileSync(path.join(ROOT, file), 'utf8')));
for (const file of unnamed) console.error(`${file}: an INSERT without column names`);

if (outside.length + unnamed.length > 0) process.exitCode = 1;
else console.log('SQL is in repositories');
