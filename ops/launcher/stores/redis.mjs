import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { Failure, Stopped } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';
import { pickPort } from '../setup/checks.mjs';

/**
 * In Redis's configuration syntax.
 * @param {string} value
 */
export const quote = (value) => `"${value.replace(/["\\]/g, '\\$&')}"`;

/**
 * @param {number} port
 * @param {string} password
 * @returns {Promise<boolean>} false while the server loads its data
 */
function respondsToPing(port, password) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve(text.includes('+PONG'));
    };
    socket.setTimeout(1000, finish);
    socket.once('error', finish);
    socket.once('close', finish);
    socket.on('data', (chunk) => {
      text += chunk;
      if (/\+PONG|^-(?!LOADING)/m.test(text)) finish();
    });
  });
}

/**
 * A Redis server on 127.0.0.1 that never evicts: BullMQ's keys are not a cache.
 * @param {object} options
 * @param {RedisBinary} options.binary
 * @param {string} options.folder of its data
 * @param {string} options.password
 * @param {boolean} [options.durable] append-only file
 * @param {number} [options.databases]
 * @returns {Promise<{ url: string, service: import('../processes/supervisor.mjs').ServiceSpec }>}
 */
export async function prepareRedis({ binary, folder, password, durable = true, databases = 16 }) {
  const port = await pickPort();
  const configuration = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `databases ${databases}`,
    'maxmemory-policy noeviction',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'appendfsync everysec',
    'save ""',
    'daemonize no',
    `dir ${quote(folder)}`,
  ].join('\n');
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    service: {
      name: 'redis',
      stopSignal: 'SIGTERM',
      lastSignal: 'SIGKILL',
      needsWatchdog: true,
      async launch(output) {
        // If the folder was deleted while Redis was down, it starts empty instead of failing.
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        // Configured by standard input: the password appears in no process list and no file.
        const child = spawn(binary.file, ['-'], {
          cwd: folder,
          env: binary.env,
          detached: true,
          stdio: ['pipe', output, output],
        });
        child.stdin?.on('error', () => {}).end(configuration);
        return child;
      },
      isReady: () => respondsToPing(port, password),
    },
  };
}

/** Minimum of BullMQ. */
const MINIMUM = [6, 2];
/** Searched after the PATH: ordinary users often lack these. */
const SERVICE_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin'];

/** @typedef {{ file: string, env: NodeJS.ProcessEnv }} RedisBinary the server and its environment */

/**
 * Parses `Redis server v=7.0.15 sha=…` or `Valkey server v=8.1.1 …`.
 * @param {string} line
 */
export function isNewEnough(line) {
  const match = /\bv=(\d+)\.(\d+)/.exec(line);
  if (!match) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > Number(MINIMUM[0]) || (major === MINIMUM[0] && minor >= Number(MINIMUM[1]));
}

/**
 * @param {RedisBinary} binary
 * @param {AbortSignal} stop
 */
async function isUsable({ file, env }, stop) {
  try {
    accessSync(file, constants.X_OK);
    const { code, output } = await runCommand(file, ['--version'], { env, stop });
    return code === 0 && isNewEnough(output);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return false;
  }
}

/** @param {NodeJS.ProcessEnv} env */
export function cacheFolder(env) {
  return path.join(env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache'), 'clearframe', 'redis');
}

/**
 * A server from unpacked Debian packages, with their libraries.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
function unpackedBinary(folder, env) {
  const libraries = ['usr/lib', 'lib'].flatMap((base) => {
    const absolute = path.join(folder, base);
    if (!existsSync(absolute)) return [];
    const triplets = readdirSync(absolute).filter((name) => name.endsWith('-linux-gnu'));
    return [absolute, ...triplets.map((name) => path.join(absolute, name))];
  });
  return {
    file: path.join(folder, 'usr/bin/redis-server'),
    env: { ...env, LD_LIBRARY_PATH: [...libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':') },
  };
}

/**
 * Fetches redis-server with apt into our own folder: without root, reading the system's package sources and installed
 * packages but changing nothing.
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} stop
 */
async function fetchWithApt(folder, env, stop) {
  const draft = `${folder}.${process.pid}`;
  const archives = path.join(draft, 'apt/archives');
  mkdirSync(path.join(archives, 'partial'), { recursive: true });
  mkdirSync(path.join(draft, 'apt/lists/partial'), { recursive: true });
  const options = [
    `Dir::State=${draft}/apt`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${draft}/apt`,
    `Dir::Cache::archives=${archives}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
  ].flatMap((option) => ['-o', option]);
  const run = async (/** @type {string} */ command, /** @type {string[]} */ args) => {
    const { code, output } = await runCommand(command, args, { env: { ...env, LC_ALL: 'C' }, stop });
    if (code !== 0) throw new Failure(`${command} failed.`, output);
  };
  try {
    await run('apt-get', [...options, '-qq', 'update']);
    const install = ['install', '-y', '-qq', '--no-install-recommends', '--download-only', 'redis-server'];
    await run('apt-get', [...options, ...install]);
    for (const name of readdirSync(archives).filter((entry) => entry.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', path.join(archives, name), path.join(draft, 'root')]);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(path.join(draft, 'root'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Finds a Redis or Valkey server on the PATH, or fetches one.
 * @param {NodeJS.ProcessEnv} env
 * @param {import('../processes/report.mjs').Report} report
 * @param {AbortSignal} stop
 */
export async function findRedis(env, report, stop) {
  const folders = [...new Set([...(env.PATH ?? '').split(path.delimiter).filter(Boolean), ...SERVICE_FOLDERS])];
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of folders) {
      const binary = { file: path.join(folder, name), env };
      if (await isUsable(binary, stop)) return binary;
    }
  }
  const cached = cacheFolder(env);
  if (await isUsable(unpackedBinary(cached, env), stop)) return unpackedBinary(cached, env);
  let reason = '';
  try {
    await report.step(`fetching Redis into ${cached}`, () => fetchWithApt(cached, env, stop));
    if (await isUsable(unpackedBinary(cached, env), stop)) return unpackedBinary(cached, env);
    reason = 'the fetched server does not run here or is older than 6.2';
  } catch (error) {
    if (error instanceof Stopped) throw error;
    reason = `fetching it failed: ${error instanceof Failure ? lastLine(error) : String(error)}`;
  }
  throw new Failure(
    `No Redis was found (${reason}): install redis-server or valkey-server 6.2 or newer, or put one on the PATH, or set REDIS_URL.`,
  );
}

/** @param {Failure} failure */
const lastLine = ({ detail, message }) => detail.trim().split('\n').pop() || message;
