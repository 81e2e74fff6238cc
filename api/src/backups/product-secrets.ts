import { readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Environment } from '@clearframe/runtime/config';
import { z } from 'zod';
import { BackupError } from './backup-folder.js';

/** As in ops/launcher/start/secrets.mjs. */
const NAMES = [
  'CLEARFRAME_JWT_SECRET',
  'CLEARFRAME_SIGNING_SECRET',
  'CLEARFRAME_INTERNAL_SECRET',
  'CLEARFRAME_COOKIE_SECRET',
  'CLEARFRAME_FINGERPRINT_SECRET',
];

const stored = z.record(z.string(), z.string());

const fileIn = (environment: Environment): string =>
  join(resolve(environment.CLEARFRAME_DATA || '.data'), 'secrets.json');

/** Of `npm start`; empty where there is none. */
function readStored(file: string): Record<string, string> {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new BackupError(`the secrets in ${file} can't be read`, { cause: error });
  }
}

/**
 * The secrets of the product: from variables, else from the data folder.
 * @throws BackupError when one is in neither
 */
export function productSecretsIn(environment: Environment): Record<string, string> {
  const file = readStored(fileIn(environment));
  const secrets = NAMES.map((name) => [name, environment[name] || file[name]] as const);
  const missing = secrets.filter(([, value]) => !value).map(([name]) => name);
  if (missing.length > 0) throw new BackupError(`${missing.join(', ')} to back up: set them, or use --without-secrets`);
  return Object.fromEntries(secrets) as Record<string, string>;
}

/**
 * Puts restored secrets where the product reads them: into a new file of variables, or into the data folder beside the
 * passwords of the launcher's own stores.
 * @returns the file
 */
export async function placeSecrets(
  secrets: Readonly<Record<string, string>>,
  environment: Environment,
  envFile: string | undefined,
): Promise<string> {
  if (envFile) {
    const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(envFile, lines.join(''), { mode: 0o600, flag: 'wx' });
    return envFile;
  }
  const file = fileIn(environment);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...readStored(file), ...secrets }, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return file;
}
