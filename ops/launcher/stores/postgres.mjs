import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../processes/failure.mjs';
import { commandLineOf, endForeign, identityOf, runCommand } from '../processes/processes.mjs';
import { pickPort } from '../setup/checks.mjs';
import { makeOwnedFolder, writeOwnedFile } from './postgres-layout.mjs';

/** The role and the database of the product. The role owns the cluster, so tests may create databases with it. */
const NAME = 'clearframe';

/** Nothing of the caller's: no PG* variable may steer the server, messages and sort order are plain. */
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** @typedef {import('./postgres-layout.mjs').Place} Place */

/**
 * Speaks to a cluster that is not running; the way to make the database and to change a password without a client.
 * @param {Place} place
 * @param {string} statement
 * @param {AbortSignal} stop
 */
async function runSingleUser({ binaries, cluster, owner }, statement, stop) {
  const { code, output } = await runCommand(path.join(binaries, 'postgres'), ['--single', '-D', cluster, 'postgres'], {
    ...owner,
    cwd: '/',
    env: ENVIRONMENT,
    input: `${statement}\n`,
    stop,
  });
  if (code !== 0 || output.includes('ERROR:')) {
    throw new Failure('PostgreSQL could not prepare its database; it says why above.', output);
  }
}

/**
 * Makes the cluster beside its place and moves it there when it is complete, so that a start which was killed
 * halfway leaves nothing that looks like a cluster.
 * @param {Place} place
 * @param {{ dataFolder: string, password: string, durable: boolean, stop: AbortSignal }} options
 */
async function createCluster(place, { dataFolder, password, durable, stop }) {
  const draft = { ...place, cluster: `${place.cluster}.new` };
  const passwordFile = `${draft.cluster}.password`;
  const args = ['-D', draft.cluster, '-U', NAME, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256'];
  args.push('-E', 'UTF8', '--locale=C', ...(durable ? [] : ['--no-sync']));
  try {
    makeOwnedFolder(draft.cluster, place.owner);
    writeOwnedFile(passwordFile, `${password}\n`, place.owner);
    const options = { ...place.owner, cwd: '/', env: ENVIRONMENT, stop };
    const { code, output } = await runCommand(path.join(place.binaries, 'initdb'), args, options);
    if (code !== 0) throw new Failure('PostgreSQL could not create its database cluster; it says why above.', output);
    await runSingleUser(draft, `CREATE DATABASE ${NAME};`, stop);
  } catch (error) {
    rmSync(draft.cluster, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft.cluster, place.cluster);
  if (place.isElsewhere) symlinkSync(place.cluster, path.join(dataFolder, 'postgres'));
}

/**
 * Ends a server that a killed launcher left on this cluster, and removes a note about one that is gone: its
 * process id may by now belong to another process, and PostgreSQL would then refuse to start.
 * @param {Place} place
 */
async function clearPredecessor({ cluster }) {
  const note = path.join(cluster, 'postmaster.pid');
  if (!existsSync(note)) return;
  const pid = Number(readFileSync(note, 'utf8').split('\n')[0]);
  const identity = identityOf(pid);
  const isServer = commandLineOf(pid)?.includes(cluster) ?? false;
  if (identity && isServer)
    await endForeign(pid, identity, { signal: 'SIGINT', timeoutMs: 8000, lastSignal: 'SIGQUIT' });
  else rmSync(note, { force: true });
}

/**
 * The server's own word, in the file where pg_ctl looks for it too: line 1 names the process, line 8 its state.
 * @param {string} cluster
 * @param {number | undefined} pid
 */
function saysReady(cluster, pid) {
  try {
    const lines = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/**
 * @param {Place} place
 * @param {AbortSignal} stop
 */
async function checkVersion({ binaries, cluster }, stop) {
  const file = path.join(cluster, 'PG_VERSION');
  if (!existsSync(file)) throw new Failure(`${cluster} is not a PostgreSQL cluster; move it away.`);
  const found = readFileSync(file, 'utf8').trim();
  const { output } = await runCommand(path.join(binaries, 'postgres'), ['--version'], { cwd: '/', stop });
  const own = /\d+/.exec(output)?.[0];
  if (found !== own) {
    throw new Failure(
      `The database cluster in ${cluster} is of PostgreSQL ${found} and this is PostgreSQL ${own}: move it away, or set DATABASE_URL to a server of its version.`,
    );
  }
}

/**
 * A PostgreSQL of our own on 127.0.0.1.
 * @param {object} options
 * @param {Place} options.place
 * @param {string} options.dataFolder
 * @param {string} options.password
 * @param {boolean} options.passwordIsNew whether an existing cluster must be told the password
 * @param {boolean} [options.durable] false only where the data may be lost with the machine (tests)
 * @param {AbortSignal} options.stop
 * @returns {Promise<{ url: string, service: import('../processes/supervisor.mjs').ServiceSpec }>}
 */
export async function preparePostgres({ place, dataFolder, password, passwordIsNew, durable = true, stop }) {
  const { binaries, cluster, owner } = place;
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    await checkVersion(place, stop);
    await clearPredecessor(place);
    if (passwordIsNew) await runSingleUser(place, `ALTER ROLE ${NAME} PASSWORD '${password}';`, stop);
  } else {
    await createCluster(place, { dataFolder, password, durable, stop });
  }

  const port = await pickPort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  settings.push(...(durable ? ['fsync=on'] : ['fsync=off', 'full_page_writes=off', 'max_connections=300']));
  /** @type {number | undefined} */
  let pid;
  return {
    url: `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`,
    service: {
      name: 'postgres',
      // Smart shutdown (SIGTERM) would wait for clients that never leave; SIGINT is the fast and clean one.
      stopSignal: 'SIGINT',
      lastSignal: 'SIGQUIT',
      isGuarded: true,
      async launch(output) {
        await clearPredecessor(place);
        const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
        const child = spawn(path.join(binaries, 'postgres'), args, {
          ...owner,
          cwd: '/',
          env: ENVIRONMENT,
          detached: true,
          stdio: ['ignore', output, output],
        });
        pid = child.pid;
        return child;
      },
      isReady: async () => saysReady(cluster, pid),
    },
  };
}
