import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
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
 * @param {import('./redis-binary.mjs').RedisBinary} options.binary
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
