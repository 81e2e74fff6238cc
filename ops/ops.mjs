// `pnpm ops …`: operators' commands, run by the built api on the product's database.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFailure, Failure } from './launcher/processes/failure.mjs';
import { cleanEnvironment } from './launcher/setup/environment.mjs';
import { findRuntime } from './launcher/setup/install.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const WITHOUT_DATABASE = ['help', '--help', 'staff-password', 'openapi', 'verify', 'backups'];
const COMMAND = path.join(root, 'api/dist/ops/main.js');

/**
 * Adds the database and URL of a running `npm start` unless DATABASE_URL is set.
 * @param {NodeJS.ProcessEnv} env
 */
function withProductDatabase(env) {
  if (env.DATABASE_URL) return env;
  const record = path.join(path.resolve(root, env.CLEARFRAME_DATA || '.data'), 'launcher.json');
  if (existsSync(record)) {
    const { databaseUrl, url } = JSON.parse(readFileSync(record, 'utf8'));
    if (typeof databaseUrl === 'string') return { PUBLIC_URL: url, ...env, DATABASE_URL: databaseUrl };
  }
  throw new Failure('There is no database: start the product with `npm start`, or set DATABASE_URL.');
}

async function main() {
  if (!existsSync(COMMAND)) throw new Failure('The product has not been built: run `npm start` once.');
  const env = cleanEnvironment(process.env);
  const { node } = await findRuntime({ root, env, stop: new AbortController().signal });
  const [topic] = process.argv.slice(2);
  const child = spawn(node, [COMMAND, ...process.argv.slice(2)], {
    cwd: root,
    env: topic === undefined || WITHOUT_DATABASE.includes(topic) ? env : withProductDatabase(env),
    stdio: 'inherit',
  });
  child.once('exit', (code) => process.exit(code ?? 1));
}

main().catch((error) => {
  process.stderr.write(`${describeFailure(error, process.env)}\n`);
  process.exitCode = 1;
});
