import { spawn } from 'node:child_process';
import { get } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { makeSecret, PRODUCT_SECRETS } from './secrets.mjs';

/** Credentials of the database, mail, login and payments. */
const API_ONLY = [
  'DATABASE_URL',
  'CLEARFRAME_JWT_SECRET',
  'CLEARFRAME_STAFF_PASSWORD',
  'CLEARFRAME_STAFF_PASSWORD_HASH',
  'SMTP_URL',
  'FIREBASE_SERVICE_ACCOUNT',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'PAYPAL_CLIENT_SECRET',
  'RECAPTCHA_SECRET_KEY',
  'ZENDESK_API_TOKEN',
];

/** Not used by `web`. */
const STORAGE_CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} names
 * @returns {NodeJS.ProcessEnv}
 */
const without = (env, names) => Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/**
 * The environment of each process, with only the secrets it needs.
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env the caller's
 * @param {import('../setup/environment.mjs').Settings} options.settings
 * @param {Record<string, string>} options.secrets
 * @param {string} options.databaseUrl
 * @param {string} options.redisUrl
 * @param {boolean} [options.isDevelopment]
 * @returns {Record<'sandbox' | 'api' | 'worker' | 'web', NodeJS.ProcessEnv>}
 */
export function productEnvironments({ env, settings, secrets, databaseUrl, redisUrl, isDevelopment = false }) {
  const { ports } = settings;
  const common = {
    ...without(env, [...PRODUCT_SECRETS, 'REDIS_URL']),
    CLEARFRAME_ENV: settings.environment,
    NODE_ENV: isDevelopment ? 'development' : 'production',
    // The console shows the log; restarts read compiled code.
    ...(isDevelopment && { LOG_LEVEL: env.LOG_LEVEL || 'warn', NODE_COMPILE_CACHE: COMPILED_CODE }),
    WEB_PORT: String(ports.WEB_PORT),
    API_PORT: String(ports.API_PORT),
    WORKER_PORT: String(ports.WORKER_PORT),
    PUBLIC_URL: settings.publicUrl,
    API_URL: `http://127.0.0.1:${ports.API_PORT}`,
    CLEARFRAME_DATA: settings.dataFolder,
    // Another instance on the machine has its own.
    TMPDIR: path.join(settings.dataFolder, 'tmp'),
  };
  const { CLEARFRAME_COOKIE_SECRET, ...apiSecrets } = secrets;
  const { CLEARFRAME_INTERNAL_SECRET } = secrets;
  const sandbox = settings.environment === 'local' ? sandboxSettings(settings) : null;
  return {
    // Only locally: it moves no money.
    sandbox: {
      ...without(common, [...API_ONLY, ...STORAGE_CREDENTIALS]),
      ...sandbox?.shared,
      SANDBOX_PORT: String(ports.SANDBOX_PORT),
      SANDBOX_STRIPE_WEBHOOK_URL: `http://127.0.0.1:${ports.API_PORT}/api/webhooks/stripe`,
      SANDBOX_PAYPAL_WEBHOOK_URL: `http://127.0.0.1:${ports.API_PORT}/api/webhooks/paypal`,
      DATABASE_URL: databaseUrl,
    },
    api: {
      MALLOC_ARENA_MAX,
      ...common,
      ...apiSecrets,
      ...sandbox?.api,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      API_ROLE: env.API_ROLE || 'all',
    },
    // The worker opens untrusted files: if compromised, it must hold no secrets.
    worker: { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, ...without(common, API_ONLY), REDIS_URL: redisUrl },
    web: {
      ...without(common, [...API_ONLY, ...STORAGE_CREDENTIALS]),
      ...sandbox?.web,
      CLEARFRAME_COOKIE_SECRET,
      CLEARFRAME_INTERNAL_SECRET,
    },
  };
}

/**
 * New keys for each start.
 * @param {import('../setup/environment.mjs').Settings} settings
 */
function sandboxSettings({ ports, publicUrl, hasPaymentForms }) {
  const url = `http://127.0.0.1:${ports.SANDBOX_PORT}`;
  const shared = {
    STRIPE_SECRET_KEY: `sbx_sk_${makeSecret()}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${makeSecret()}`,
    PAYPAL_CLIENT_ID: 'sbx_client_local',
    PAYPAL_CLIENT_SECRET: makeSecret(),
    PAYPAL_MERCHANT_ID: 'SBXMERCHANT',
    PAYPAL_WEBHOOK_ID: 'sbxwebhook',
    RECAPTCHA_SECRET_KEY: `sbx_captcha_${makeSecret()}`,
    ZENDESK_EMAIL: 'support@clearframe.example',
    ZENDESK_API_TOKEN: `sbx_zendesk_${makeSecret()}`,
  };
  return {
    shared,
    api: {
      ...shared,
      SANDBOX_URL: url,
      RECAPTCHA_VERIFY_URL: `${url}/recaptcha/api/siteverify`,
      ZENDESK_API_URL: url,
      STRIPE_API_URL: url,
      STRIPE_PUBLISHABLE_KEY: 'sbx_pk_local',
      STRIPE_PRICES: 'sbx_price_*',
      STRIPE_TRIAL_OFFERS: 'sbx_to_*',
      ...(hasPaymentForms && {
        STRIPE_SCRIPT_URL: `${publicUrl}/api/sandbox/scripts/stripe.js`,
        PAYPAL_SCRIPT_URL: `${publicUrl}/api/sandbox/scripts/paypal.js`,
      }),
      PAYPAL_API_URL: url,
      PAYPAL_PLANS: 'sbx_plan_*',
      PAYPAL_TRIAL_PLANS: 'sbx_plan_*_ft',
      PAYPAL_AUTOMATIC_PAYMENTS_URL: `${publicUrl}/api/sandbox/pages/wallet/automatic-payments`,
    },
    web: {
      RECAPTCHA_SITE_KEY: 'sbx_captcha_local',
      RECAPTCHA_SCRIPT_URL: `${publicUrl}/api/sandbox/scripts/recaptcha.js`,
    },
  };
}

/**
 * glibc's default of eight arenas a core keeps freed pictures: 1.55 instead of 1.35 GB for a 12-megapixel portrait. As
 * in ops/docker/Dockerfile.
 */
const MALLOC_ARENA_MAX = '2';

/**
 * Strips of pictures, of 1 to 3 MB, go back to the system when they are freed: 270 instead of 310 MB for a result of 100
 * megapixels. glibc's own limit grows to 32 MB. As in ops/docker/Dockerfile.
 */
const MALLOC_MMAP_THRESHOLD_ = '524288';

/**
 * A young generation of V8's default, 16 MB, lets garbage of uploads pile up: fifty at once need 320 instead of 414 MB.
 * An old one of V8's first size is collected as a whole in the first seconds of work, for 80 ms on busy cores: status
 * calls wait. 128 MB take up to 56 MB more. In the worker, garbage of strips piles up likewise. As in ops/docker/Dockerfile.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const NODE_FLAGS = {
  api: ['--max-semi-space-size=4', '--initial-old-space-size=128'],
  worker: ['--max-semi-space-size=4'],
};

/** In development, relative to the checkout. */
const COMPILED_CODE = 'node_modules/.cache/clearframe/compiled';

/** Loads the packages of the next process while the last one serves. */
const STANDBY = 'ops/launcher/start/standby.mjs';

const WILDCARD_HOSTS = ['0.0.0.0', '::'];

/**
 * @param {string | undefined} host on which the process listens
 * @param {number} port
 * @param {string} path
 * @returns {Promise<{ isHealthy: boolean, body: string }>}
 */
function read(host, port, path) {
  const address = !host || WILDCARD_HOSTS.includes(host) ? '127.0.0.1' : host;
  return new Promise((resolve) => {
    const none = { isHealthy: false, body: '' };
    const request = get({ host: address, port, path, agent: false, timeout: 10_000 }, async (response) => {
      const isHealthy = response.statusCode === 200;
      resolve({ isHealthy, body: await text(response).catch(() => '') });
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(none));
  });
}

/**
 * @param {string} body of `/readyz`
 * @returns {string} empty where it gives no reason
 */
function reasonsIn(body) {
  try {
    return Object.values(JSON.parse(body).reasons ?? {}).join('; ');
  } catch {
    return '';
  }
}

/**
 * What a started product lacks, for the launcher's output.
 * @param {import('../setup/environment.mjs').Settings} settings
 * @param {NodeJS.ProcessEnv} worker its environment
 * @returns {Promise<string[]>}
 */
export async function missingParts({ ports }, worker) {
  const { body } = await read(worker.WORKER_HOST, ports.WORKER_PORT, '/readyz');
  if (!/"video":"down"/.test(body)) return [];
  return ['videos are off, because there is no usable ffmpeg: install ffmpeg 5.1 or newer, or set FFMPEG_PATH'];
}

/** The commands of ops/docker/Dockerfile, and the sandbox. */
export const COMMANDS = {
  api: 'api/dist/main.js',
  sandbox: 'sandbox/dist/main.js',
  worker: 'worker/dist/main.js',
  web: 'web/server/main.ts',
};

/**
 * @param {object} options
 * @param {string} options.root
 * @param {string} options.node
 * @param {import('../setup/environment.mjs').Settings} options.settings
 * @param {ReturnType<typeof productEnvironments>} options.environments
 * @param {boolean} [options.isDevelopment]
 * @returns {import('../processes/supervisor.mjs').ServiceSpec[]}
 */
export function productServices({ root, node, settings, environments, isDevelopment = false }) {
  const { WEB_PORT, API_PORT, WORKER_PORT, SANDBOX_PORT } = settings.ports;
  const health = /** @type {const} */ ([
    ...(settings.environment === 'local' ? [/** @type {const} */ (['sandbox', SANDBOX_PORT, '/healthz'])] : []),
    ['api', API_PORT, '/readyz'],
    ['worker', WORKER_PORT, '/readyz'],
    ['web', WEB_PORT, '/healthz'],
  ]);
  return health.map(([name, port, path]) => {
    /** @param {number | 'inherit'} output */
    const spawnService = (output, command = [COMMANDS[name]]) =>
      // The IPC channel carries no messages but the standby's; it closes when this launcher is killed.
      spawn(node, [...(NODE_FLAGS[name] ?? []), ...command], {
        cwd: root,
        env: environments[name],
        detached: true,
        stdio: ['ignore', output, output, 'ipc'],
      });
    const isPrepared = isDevelopment && name === 'api';
    const prepare = () => spawnService('inherit', [STANDBY, `${name}/package.json`, COMMANDS[name]]);
    /** @type {import('node:child_process').ChildProcess | null} */
    let standby = null;
    const readHealth = () => read(environments[name][`${name.toUpperCase()}_HOST`], port, path);
    return {
      name,
      stopSignal: 'SIGTERM',
      lastSignal: 'SIGKILL',
      waitsForChange: isDevelopment,
      launch: async (output) => {
        if (!isPrepared) return spawnService(isDevelopment ? 'inherit' : output);
        const child = standby?.connected ? standby : prepare();
        standby = null;
        child.send('start');
        return child;
      },
      isReady: async () => {
        const { isHealthy } = await readHealth();
        if (isHealthy && isPrepared) standby ??= prepare();
        return isHealthy;
      },
      whyNotReady: async () => reasonsIn((await readHealth()).body),
    };
  });
}
