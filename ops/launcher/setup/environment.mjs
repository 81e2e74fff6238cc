import path from 'node:path';
import { Failure } from '../processes/failure.mjs';

const KEPT_NPM_CONFIG = /^npm_config_(registry|cache|cafile|userconfig|.*proxy)$/i;

/**
 * For tools (pnpm, compilers, tests): without npm's variables, which would configure a second package manager (package
 * sources stay), and without NODE_ENV, with which `production` would leave the compilers uninstalled.
 * @param {NodeJS.ProcessEnv} env
 */
export function cleanEnvironment(env) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => (!/^npm_/i.test(name) || KEPT_NPM_CONFIG.test(name)) && name !== 'NODE_ENV' && name !== 'INIT_CWD',
    ),
  );
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} directory
 */
export function withFirstOnPath(env, directory) {
  return { ...env, PATH: [directory, env.PATH].filter(Boolean).join(path.delimiter) };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @param {number} fallback
 */
function readPort(env, name, fallback) {
  if (!env[name]) return fallback;
  const port = Number(env[name]);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure(`${name} must be a port number from 1 to 65535; it is '${env[name]}'.`);
  }
  return port;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @param {string} fallback
 */
function readUrl(env, name, fallback) {
  const value = env[name] || fallback;
  try {
    new URL(value);
  } catch {
    throw new Failure(`${name} must be an absolute URL; it is '${value}'.`);
  }
  return value.replace(/\/$/, '');
}

const ENVIRONMENTS = ['local', 'production'];

/**
 * The settings of `npm start`.
 * @typedef {ReturnType<typeof readSettings>} Settings
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root the checkout
 */
export function readSettings(env, root) {
  const ports = {
    WEB_PORT: readPort(env, 'WEB_PORT', 3000),
    API_PORT: readPort(env, 'API_PORT', 4000),
    WORKER_PORT: readPort(env, 'WORKER_PORT', 4001),
    SANDBOX_PORT: readPort(env, 'SANDBOX_PORT', 4002),
  };
  if (new Set(Object.values(ports)).size < 4) {
    throw new Failure('WEB_PORT, API_PORT, WORKER_PORT and SANDBOX_PORT must be four different ports.');
  }
  const environment = env.CLEARFRAME_ENV || 'local';
  if (!ENVIRONMENTS.includes(environment)) {
    throw new Failure(`CLEARFRAME_ENV must be one of ${ENVIRONMENTS.join(', ')}; it is '${environment}'.`);
  }
  return {
    ports,
    environment,
    hasPaymentForms: env.SANDBOX_PAYMENT_FORMS !== 'false',
    publicUrl: readUrl(env, 'PUBLIC_URL', `http://localhost:${ports.WEB_PORT}`),
    dataFolder: path.resolve(root, env.CLEARFRAME_DATA || '.data'),
    databaseUrl: env.DATABASE_URL ? readUrl(env, 'DATABASE_URL', '') : null,
    redisUrl: env.REDIS_URL ? readUrl(env, 'REDIS_URL', '') : null,
  };
}
