import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf, Failure } from '../processes/failure.mjs';

/** Secrets of the product's processes; values in the environment take precedence over stored ones. */
export const PRODUCT_SECRETS = /** @type {const} */ ([
  'CLEARFRAME_JWT_SECRET',
  'CLEARFRAME_SIGNING_SECRET',
  'CLEARFRAME_INTERNAL_SECRET',
  'CLEARFRAME_COOKIE_SECRET',
  'CLEARFRAME_FINGERPRINT_SECRET',
]);
/** Secrets of the launcher's own PostgreSQL and Redis. */
const SERVICE_SECRETS = /** @type {const} */ (['postgresPassword', 'redisPassword']);

/** 256 random bits that need no escaping in URLs, SQL or configuration files. */
export const makeSecret = () => randomBytes(32).toString('base64url');

/** @param {string} file */
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
    // Reported below.
  }
  throw new Failure(
    `${file} is not a JSON object of secrets; restore it, or delete it to generate new ones, which signs all users out.`,
  );
}

/**
 * The secrets of a data folder, generated once.
 * @typedef {Awaited<ReturnType<typeof loadSecrets>>} Secrets
 * @param {string} dataFolder
 * @param {NodeJS.ProcessEnv} env
 */
export function loadSecrets(dataFolder, env) {
  const file = path.join(dataFolder, 'secrets.json');
  const stored = readStored(file);
  /** @type {string[]} */
  const generated = [];
  const keep = (/** @type {string} */ name) => {
    const value = stored[name];
    if (typeof value === 'string' && value !== '') return value;
    generated.push(name);
    stored[name] = makeSecret();
    return String(stored[name]);
  };
  const product = Object.fromEntries(PRODUCT_SECRETS.map((name) => [name, env[name] || keep(name)]));
  const [postgresPassword, redisPassword] = SERVICE_SECRETS.map(keep);
  if (generated.length > 0) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }
  return {
    product,
    postgresPassword: String(postgresPassword),
    redisPassword: String(redisPassword),
    /** An existing cluster then has another password. */
    postgresPasswordIsNew: generated.includes('postgresPassword'),
  };
}
