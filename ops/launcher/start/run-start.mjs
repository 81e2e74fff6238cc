import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFailure, Failure, Stopped } from '../processes/failure.mjs';
import { createStopSignal, runCommand } from '../processes/processes.mjs';
import { createReport } from '../processes/report.mjs';
import { Supervisor } from '../processes/supervisor.mjs';
import { buildWeb, compileOnce, startCompiler } from '../setup/build.mjs';
import { checkNpm, checkPlatform, checkPorts, checkReachable, prepareStateFolder } from '../setup/checks.mjs';
import { cleanEnvironment, readSettings } from '../setup/environment.mjs';
import { findRuntime, installPackages } from '../setup/install.mjs';
import { preparePostgres } from '../stores/postgres.mjs';
import { resolvePostgresLayout } from '../stores/postgres-layout.mjs';
import { findRedis, prepareRedis } from '../stores/redis.mjs';
import { claim } from './instance.mjs';
import { loadSecrets, makeSecret } from './secrets.mjs';
import { missingParts, productEnvironments, productServices } from './services.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const PRODUCT = ['web', 'worker', 'api', 'sandbox'];
const STORES = ['redis', 'postgres'];
/** Together below the 8 s limit of a shutdown. */
const STOP_TIMEOUTS_MS = { product: 4000, stores: 1500 };

/**
 * @typedef {object} Run
 * @property {import('../setup/environment.mjs').Settings} settings
 * @property {import('../processes/report.mjs').Report} report
 * @property {import('../setup/install.mjs').Toolchain} toolchain
 * @property {Supervisor} supervisor
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {boolean} isDevelopment
 */

/**
 * Starts the database and queue that the environment doesn't provide.
 * @param {Run} run
 * @returns {Promise<{ databaseUrl: string, redisUrl: string }>}
 */
async function startStores({ settings, report, toolchain, supervisor, secrets }) {
  const { dataFolder } = settings;
  const { env, stop } = toolchain;
  const layout = settings.databaseUrl ? null : resolvePostgresLayout({ root, dataFolder });
  if (layout?.isOutsideDataFolder) {
    report.line(`the database is stored in ${layout.cluster}, because its user can't access ${dataFolder}`);
  }
  const usePostgres = async () => {
    if (settings.databaseUrl) await checkReachable('DATABASE_URL', settings.databaseUrl, 5432);
    if (!layout) return settings.databaseUrl ?? '';
    const { url, service } = await preparePostgres({
      layout,
      dataFolder,
      password: secrets.postgresPassword,
      passwordIsNew: secrets.postgresPasswordIsNew,
      stop,
    });
    await supervisor.start(service);
    return url;
  };
  const binary = settings.redisUrl ? null : await findRedis(env, report, stop);
  const useRedis = async () => {
    if (settings.redisUrl) await checkReachable('REDIS_URL', settings.redisUrl, 6379);
    if (!binary) return settings.redisUrl ?? '';
    const folder = path.join(dataFolder, 'redis');
    const { url, service } = await prepareRedis({ binary, folder, password: secrets.redisPassword });
    await supervisor.start(service);
    return url;
  };
  return report.step('starting PostgreSQL and Redis', async () => {
    const [databaseUrl, redisUrl] = await allSettled(/** @type {const} */ ([usePostgres(), useRedis()]));
    return { databaseUrl, redisUrl };
  });
}

/**
 * Like Promise.all, but waits for all even when one fails, so that nothing is starting during shutdown.
 * @template {readonly Promise<unknown>[]} T
 * @param {T} promises
 */
async function allSettled(promises) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/**
 * @param {Run & { node: string, api: NodeJS.ProcessEnv }} run
 */
async function migrate({ settings, report, toolchain, node, api }) {
  await report.step('migrating the database', async () => {
    const { stop } = toolchain;
    const { code, output } = await runCommand(node, ['api/dist/ops/migrate.js'], { cwd: root, env: api, stop });
    writeFileSync(path.join(settings.dataFolder, 'logs/migrate.log'), output);
    if (code !== 0) throw new Failure('The database could not be migrated; see its output above.', output);
  });
}

/** @param {Omit<Run, 'secrets'> & { instance: import('./instance.mjs').Instance }} prepared */
async function startProduct(prepared) {
  const { settings, report, supervisor, isDevelopment } = prepared;
  await checkPorts(settings.ports);
  const secrets = loadSecrets(settings.dataFolder, process.env);
  await installPackages(prepared.toolchain, report, 'product');
  const { node, toolchain } = await findRuntime(prepared.toolchain);
  const compiler = await report.step('compiling', async () => {
    if (isDevelopment) return startCompiler({ root, node });
    await compileOnce(toolchain, node);
    return null;
  });
  if (!isDevelopment) await buildWeb(toolchain, node, report);
  const run = { ...prepared, toolchain, secrets };
  const stores = await startStores(run);
  prepared.instance.publishDatabase(stores.databaseUrl);
  const staff = staffPassword(toolchain.env, settings.environment);
  const env = { ...toolchain.env, ...staff };
  const environments = productEnvironments({ env, settings, secrets: secrets.product, ...stores, isDevelopment });
  await migrate({ ...run, node, api: environments.api });
  await report.step('starting api, worker and web', () =>
    allSettled(
      productServices({ root, node, settings, environments, isDevelopment }).map((service) =>
        supervisor.start(service),
      ),
    ),
  );
  compiler?.restartOnChange((services) =>
    report.step(`restarting ${services.join(', ')}`, () => supervisor.restart(services)),
  );
  for (const missing of await missingParts(settings, environments.worker)) report.line(missing);
  if (staff) report.line(`the staff password of this start is ${staff.CLEARFRAME_STAFF_PASSWORD}`);
}

/**
 * Generates a staff password for each local start unless one is set; in production one must be set.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} environment
 */
function staffPassword(env, environment) {
  const isGiven = env.CLEARFRAME_STAFF_PASSWORD || env.CLEARFRAME_STAFF_PASSWORD_HASH;
  return isGiven || environment === 'production' ? null : { CLEARFRAME_STAFF_PASSWORD: makeSecret().slice(0, 16) };
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
const aborted = (signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * `npm start`: sets up and runs the product until a signal. `npm run dev`: the same from the sources, which it watches.
 * @param {{ isDevelopment?: boolean }} [options]
 * @returns {Promise<number>} the exit code
 */
export async function start({ isDevelopment = false } = {}) {
  const report = createReport(process.stdout);
  const stop = createStopSignal(process.env);
  /** @type {import('./instance.mjs').Instance | null} */
  let instance = null;
  /** @type {Supervisor | null} */
  let supervisor = null;
  /** @type {unknown} */
  let problem = null;
  try {
    const settings = readSettings(process.env, root);
    const toolchain = { root, env: cleanEnvironment(process.env), stop };
    checkPlatform(settings);
    checkNpm(toolchain.env);
    prepareStateFolder(settings.dataFolder);
    instance = await claim(settings.dataFolder, settings.publicUrl);
    const orphans = instance.orphans();
    if (orphans.length > 0) await report.step(`stopping processes of a killed run (${orphans})`, instance.stopOrphans);
    const logFolder = path.join(settings.dataFolder, 'logs');
    const { recordProcess } = instance;
    supervisor = new Supervisor({ logFolder, report, stop, recordProcess });
    await startProduct({ settings, report, toolchain, supervisor, instance, isDevelopment });
    report.line(`ready ${settings.publicUrl}`);
    const failure = await Promise.race([aborted(stop), supervisor.failed]);
    if (failure) throw failure;
  } catch (error) {
    if (!(error instanceof Stopped)) problem = error;
  }
  instance?.markStopping();
  if (supervisor?.isBusy) {
    const ending = supervisor;
    await report.step('stopping', async () => {
      await ending.end(PRODUCT, STOP_TIMEOUTS_MS.product);
      await ending.end(STORES, STOP_TIMEOUTS_MS.stores);
    });
  }
  instance?.release();
  // Last, where it is visible.
  if (problem) report.line(describeFailure(problem, process.env));
  return problem ? 1 : 0;
}
