import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../../runtime/test/ports.ts';
import { registerLogs } from './logs.ts';

const LAUNCHER = fileURLToPath(new URL('../../../ops/launcher/start.mjs', import.meta.url));
/** Settings of the shell must not reach this product. */
const PRODUCT_SETTINGS =
  /^((CLEARFRAME|WEB|API|WORKER|LIMIT|QUEUE|MAIL|SMTP|FIREBASE|GOOGLE|PAYMENTS|SANDBOX|STRIPE|PAYPAL|RECAPTCHA|TAG_MANAGER|CONSENT_PLATFORM|SURVEY|ANALYTICS|MONITORING|STORAGE|S3|AWS|DATABASE|SELLER|SENTRY)_|(REDIS|PUBLIC)_URL$|.*_PROVIDER$|BLOCKED_(SERVICE_)?COUNTRIES$|COUNTRY_HEADER$|PAYMENT_ORIGINS$|THIRD_PARTY_ORIGINS$|TRUSTED_PROXIES$|LOG_LEVEL$|NODE_ENV$|VITEST)/;

/** The worker's of `npm start`, for benchmarks of requests beside it: in tests it has the priority of everything else. */
export const USUAL_PRIORITY = { WORKER_NICENESS: '5' } as const;

/** For products that enhance few pictures: loading all networks at each start of the worker takes 3 s of a processor. */
export const FEW_PICTURES = { WORKER_INFERENCE_PRELOAD: 'none' } as const;

export type ServiceName = 'postgres' | 'redis' | 'sandbox' | 'api' | 'worker' | 'web';

/** The whole product, started like `npm start`, on free ports and with its own folder. */
export interface Product {
  readonly url: string;
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly dataFolder: string;
  /** Changes when the service is restarted. */
  pidOf(name: ServiceName): Promise<number>;
  /** Stops the product and removes its folder. */
  stop(): Promise<void>;
}

/** Resolves at the launcher's `ready` line. */
function untilReady(launcher: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer): void => {
      printed += chunk;
      if (/^ready http/m.test(printed)) resolve();
    };
    launcher.stdout?.on('data', read);
    launcher.stderr?.on('data', read);
    launcher.once('exit', (code) => reject(new Error(`the product did not start (${code}):\n${printed}`)));
  });
}

export async function startProduct(environment: Readonly<Record<string, string>> = {}): Promise<Product> {
  const [web, api, worker, sandbox] = await freePorts(4);
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-product-'));
  // The default name.
  const dataFolder = join(folder, '.data');
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !PRODUCT_SETTINGS.test(name)));
  const launcher = spawn(process.execPath, [LAUNCHER], {
    env: {
      ...inherited,
      WEB_PORT: String(web),
      API_PORT: String(api),
      WORKER_PORT: String(worker),
      SANDBOX_PORT: String(sandbox),
      CLEARFRAME_DATA: dataFolder,
      // Machines of tests are slow: requests wait as long as background work.
      DATABASE_WAIT_SECONDS: '60',
      // A page with an error, or without the visitor's plan or token, stays so until it is loaded again.
      WEB_API_TIMEOUT_MS: '60000',
      WEB_OPTIONAL_DATA_TIMEOUT_MS: '60000',
      // Addresses stay as the tests open them.
      LANDING_VERSION: '',
      // Pictures don't wait for the browsers of the tests.
      WORKER_NICENESS: '0',
      // All tests share an address.
      LIMIT_GUESTS_PER_10_MINUTES: '10000',
      LIMIT_LOGINS_PER_10_MINUTES: '10000',
      LIMIT_READS_PER_MINUTE: '100000',
      LIMIT_TILES_PER_MINUTE: '100000',
      LIMIT_WRITES_PER_MINUTE: '10000',
      LIMIT_EVENTS_PER_MINUTE: '10000',
      LIMIT_SUPPORT_PER_HOUR: '10000',
      LIMIT_WEBHOOKS_PER_MINUTE: '10000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    if (launcher.exitCode === null && launcher.signalCode === null) {
      const ended = new Promise((resolve) => launcher.once('exit', resolve));
      launcher.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(launcher);
  } catch (error) {
    await stop();
    throw error;
  }
  const location = {
    url: `http://localhost:${web}`,
    apiUrl: `http://127.0.0.1:${api}`,
    workerUrl: `http://127.0.0.1:${worker}`,
    dataFolder,
  };
  return { ...productIn(location), stop };
}

/** A running product. */
export function productIn(location: Omit<Product, 'pidOf' | 'stop'>): Omit<Product, 'stop'> {
  registerLogs(location.url, location.dataFolder);
  return {
    ...location,
    pidOf: async (name) => {
      const record = JSON.parse(await readFile(join(location.dataFolder, 'launcher.json'), 'utf8'));
      return record.services[name].pid;
    },
  };
}
