import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { codeOf, Failure } from '../processes/failure.mjs';

/** PostgreSQL then runs as another user, who needs access to its folders. */
export const isRoot = process.getuid?.() === 0;

/** @param {NodeJS.ProcessEnv} env */
export function checkNpm(env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  if (!folders.some((folder) => existsSync(path.join(folder, 'npm')))) {
    throw new Failure('npm is missing from the PATH; it comes with Node (https://nodejs.org).');
  }
}

/**
 * The packaged database and queue are Linux programs; elsewhere both must be given.
 * @param {{ databaseUrl: string | null, redisUrl: string | null }} settings
 */
export function checkPlatform({ databaseUrl, redisUrl }) {
  const known = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  if (!known && !(databaseUrl && redisUrl)) {
    throw new Failure(
      `On ${process.platform}-${process.arch} Clearframe brings no PostgreSQL and Redis of its own: set DATABASE_URL and REDIS_URL, or use docker-compose.yml.`,
    );
  }
}

/** Written by the product; PostgreSQL and Redis create their own. */
const OWN_FOLDERS = ['logs', 'mail', 'media', 'tmp'];

/**
 * Creates the data folder with private folders for pictures, mails and logs. Others can traverse root's folder but not
 * list it: PostgreSQL runs as another user below it.
 * @param {string} folder absolute
 */
export function prepareStateFolder(folder) {
  const hint = 'set CLEARFRAME_DATA to a folder that this user may write';
  try {
    mkdirSync(folder, { recursive: true, mode: isRoot ? 0o711 : 0o700 });
    if (!statSync(folder).isDirectory()) throw new Failure(`${folder} is not a folder; ${hint}.`);
    const { uid, mode } = statSync(folder);
    if (isRoot && uid === 0 && (mode & 0o001) === 0) chmodSync(folder, (mode & 0o777) | 0o011);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of OWN_FOLDERS) {
      const own = path.join(folder, name);
      mkdirSync(own, { recursive: true, mode: 0o700 });
      accessSync(own, constants.W_OK | constants.X_OK);
      // Earlier versions created it open.
      if (statSync(own).uid === process.getuid?.()) chmodSync(own, 0o700);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (['EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw new Failure(`${folder} is not a folder; ${hint}.`);
    throw new Failure(`The state folder ${folder} can't be used (${codeOf(error)}); ${hint}.`);
  }
}

/**
 * @param {number} port
 * @param {string} [host] all addresses when absent
 * @returns {Promise<string>} error code; '' when the port is free
 */
function tryPort(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('')));
  });
}

/** @param {Record<string, number>} ports by the variable that sets each */
export async function checkPorts(ports) {
  for (const [name, port] of Object.entries(ports)) {
    const problem = await tryPort(port);
    if (problem === 'EACCES') {
      throw new Failure(`Port ${port} needs more rights than this user has; set ${name} to a port from 1024 up.`);
    }
    if (problem) throw new Failure(`Port ${port} is already in use; set ${name} to a free port.`);
  }
}

/**
 * A free port of 127.0.0.1 below the range of outgoing connections, so that a restarted service finds it free again.
 * @returns {Promise<number>}
 */
export async function pickPort() {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await tryPort(port, '127.0.0.1')) === '') return port;
  }
  throw new Failure('No free port was found between 20000 and 32000.');
}

/**
 * Fails early for an unreachable server.
 * @param {string} name the variable
 * @param {string} url
 * @param {number} defaultPort
 * @returns {Promise<void>}
 */
export function checkReachable(name, url, defaultPort) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort });
    const fail = (/** @type {string} */ reason) => {
      socket.destroy();
      reject(new Failure(`${name} points at ${hostname}:${port || defaultPort}, which does not respond (${reason}).`));
    };
    socket.setTimeout(5000, () => fail('timeout'));
    socket.once('error', (error) => fail(codeOf(error)));
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
