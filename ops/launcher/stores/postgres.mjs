import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../processes/failure.mjs';
import { commandLineOf, identityOf, processesIn, runCommand, stopProcess } from '../processes/processes.mjs';
import { pickPort } from '../setup/checks.mjs';
import { makeOwnedFolder, writeOwnedFile } from './postgres-layout.mjs';

/** The role is the cluster's superuser, so tests may create databases. */
const NAME = 'clearframe';

/** No PG* variable of the caller; messages and sort order are plain. */
const ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** @typedef {import('./postgres-layout.mjs').PostgresLayout} Layout */

/**
 * Runs a statement on a stopped cluster, which needs no client.
 * @param {Layout} layout
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
    throw new Failure('PostgreSQL could not prepare its database; see its output above.', output);
  }
}

/**
 * Renames the cluster once complete, so that a killed start leaves no partial one.
 * @param {Layout} layout
 * @param {{ dataFolder: string, password: string, durable: boolean, stop: AbortSignal }} options
 */
async function createCluster(layout, { dataFolder, password, durable, stop }) {
  const draft = { ...layout, cluster: `${layout.cluster}.new` };
  const passwordFile = `${draft.cluster}.password`;
  const args = ['-D', draft.cluster, '-U', NAME, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256'];
  // Tests connect thousands of times; 4096 iterations take as long as the rest of a connection.
  args.push('-E', 'UTF8', '--locale=C', ...(durable ? [] : ['--no-sync', '-c', 'scram_iterations=1']));
  try {
    makeOwnedFolder(draft.cluster, layout.owner);
    writeOwnedFile(passwordFile, `${password}\n`, layout.owner);
    const options = { ...layout.owner, cwd: '/', env: ENVIRONMENT, stop };
    const { code, output } = await runCommand(path.join(layout.binaries, 'initdb'), args, options);
    if (code !== 0)
      throw new Failure('PostgreSQL could not create its database cluster; see its output above.', output);
    await runSingleUser(draft, `CREATE DATABASE ${NAME};`, stop);
  } catch (error) {
    rmSync(draft.cluster, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft.cluster, layout.cluster);
  if (layout.isOutsideDataFolder) symlinkSync(layout.cluster, path.join(dataFolder, 'postgres'));
}

/**
 * Stops what is left of a killed launcher or server.
 * @param {Layout} layout
 */
async function stopStaleServer({ cluster }) {
  await stopRecordedServer(cluster);
  await stopOrphans(cluster);
}

/**
 * Stops the server of a killed launcher. A stale `postmaster.pid` may name another process by now, and PostgreSQL
 * would refuse to start.
 * @param {string} cluster
 */
async function stopRecordedServer(cluster) {
  const pidFile = path.join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const identity = identityOf(pid);
  const isServer = commandLineOf(pid)?.includes(cluster) ?? false;
  if (identity && isServer)
    await stopProcess(pid, identity, { signal: 'SIGINT', timeoutMs: 8000, lastSignal: 'SIGQUIT' });
  else rmSync(pidFile, { force: true });
}

/**
 * Stops the processes of connections that outlive a killed server: until the last one has ended its query, the next
 * server would refuse to start. Each leads a session of its own, so the server's process group doesn't include them.
 * @param {string} cluster
 */
async function stopOrphans(cluster) {
  const folder = realpathSync(cluster);
  const orphans = processesIn(folder).filter((pid) => commandLineOf(pid)?.[0]?.startsWith('postgres:'));
  await Promise.all(
    orphans.map(async (pid) => {
      const identity = identityOf(pid);
      if (identity) await stopProcess(pid, identity, { signal: 'SIGQUIT', timeoutMs: 2000, lastSignal: 'SIGKILL' });
    }),
  );
}

/**
 * Like pg_ctl: line 1 of the pid file is the process id, line 8 the state.
 * @param {string} cluster
 * @param {number | undefined} pid
 */
function isServerReady(cluster, pid) {
  try {
    const lines = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/**
 * @param {Layout} layout
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
      `The database cluster in ${cluster} belongs to PostgreSQL ${found}, but this is PostgreSQL ${own}: move it away, or set DATABASE_URL to a server of its version.`,
    );
  }
}

/**
 * A PostgreSQL server on 127.0.0.1.
 * @param {object} options
 * @param {Layout} options.layout
 * @param {string} options.dataFolder
 * @param {string} options.password
 * @param {boolean} options.passwordIsNew an existing cluster has another password
 * @param {boolean} [options.durable] false: data may be lost in a crash (tests)
 * @param {AbortSignal} options.stop
 * @returns {Promise<{ url: string, service: import('../processes/supervisor.mjs').ServiceSpec }>}
 */
export async function preparePostgres({ layout, dataFolder, password, passwordIsNew, durable = true, stop }) {
  const { binaries, cluster, owner } = layout;
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    await checkVersion(layout, stop);
    await stopStaleServer(layout);
    if (passwordIsNew) await runSingleUser(layout, `ALTER ROLE ${NAME} PASSWORD '${password}';`, stop);
  } else {
    await createCluster(layout, { dataFolder, password, durable, stop });
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
      // SIGINT is a fast clean shutdown; SIGTERM would wait for clients to disconnect.
      stopSignal: 'SIGINT',
      lastSignal: 'SIGQUIT',
      needsWatchdog: true,
      async launch(output) {
        await stopStaleServer(layout);
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
      isReady: async () => isServerReady(cluster, pid),
    },
  };
}
