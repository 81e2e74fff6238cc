import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf, Failure } from '../processes/failure.mjs';

/** Shared by the product's processes; a value in the environment wins over the stored one. */
export const PRODUCT_SECRETS = /** @type {const} */ ([
  'CLEARFRAME_JWT_SECRET',
  'CLEARFRAME_SIGNING_SECRET',
  'CLEARFRAME_INTERNAL_SECRET',
  'CLEARFRAME_COOKIE_SECRET',
  'CLEARFRAME_FINGERPRINT_SECRET',
]);
/** Of the PostgreSQL and Redis that the launcher runs itself. */
const SERVICE_SECRETS = /** @type {const} */ (['postgresPassword', 'redisPassword']);

/** 256 random bits, in an alphabet that needs no escaping in URLs, SQL or configuration files. */
export const makeSecret = () => randomBytes(32).toString('base64url');

/**
 * @param {string} file
 * @returns {Record<string, unknown>}
 */
function readStored(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new Failure(`The secrets in ${file} can't be read (${codeOf(error)}); make the file readable for this user.`);
  }
  try {
    const stored = JSON.parse(text);
    if (stored && typeof stored === 'object' && !Array.isArray(stored)) return stored;
  } catch {
    // Said below, in the same words as any other wrong content.
  }
  throw new Failure(
    `${file} is not the JSON object of secrets it should be; restore it, or delete it to make new ones (all users are then signed out).`,
  );
}

/**
 * The secrets of one data folder, made at first use and then kept.
 * @typedef {Awaited<ReturnType<typeof loadSecrets>>} Secrets
 * @param {string} dataFolder
 * @param {NodeJS.ProcessEnv} env
 */
export function loadSecrets(dataFolder, env) {
  const file = path.join(dataFolder, 'secrets.json');
  const stored = readStored(file);
  /** @type {string[]} */
  const made = [];
  const keep = (/** @type {string} */ name) => {
    const value = stored[name];
    if (typeof value === 'string' && value !== '') return value;
    made.push(name);
    stored[name] = makeSecret();
    return String(stored[name]);
  };
  const product = Object.fromEntries(PRODUCT_SECRETS.map((name) => [name, env[name] || keep(name)]));
  const [postgresPassword, redisPassword] = SERVICE_SECRETS.map(keep);
  if (made.length > 0) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  return {
    product,
    postgresPassword: String(postgresPassword),
    redisPassword: String(redisPassword),
    /** A cluster that is already there knows another password than this one. */
    postgresPasswordIsNew: made.includes('postgresPassword'),
  };
}
