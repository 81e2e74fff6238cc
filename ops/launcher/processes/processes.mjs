import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, Failure, Stopped } from './failure.mjs';

/**
 * The command line of a process as the kernel knows it, or null when there is no such process (or no /proc).
 * @param {number} pid
 */
export function commandLineOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return null;
  }
}

/**
 * Identifies a process: ids are reused, but not with the same start time and boot.
 * Null for an ended one, including zombies.
 * @param {number} pid
 */
export function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the state is the first field after it, the start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}

/**
 * @param {number} target a process id, or a negative process group id
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(target, signal) {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/**
 * @param {() => boolean | Promise<boolean>} condition
 * @param {number} limit milliseconds
 * @param {number} [every] milliseconds
 * @returns {Promise<boolean>} whether the condition was met in time
 */
export async function waitUntil(condition, limit, every = 50) {
  const end = Date.now() + limit;
  while (!(await condition())) {
    if (Date.now() >= end) return false;
    await pause(every);
  }
  return true;
}

/**
 * Ends a process that is not a child of ours (left by an earlier run): first by `signal`, then by `lastSignal`.
 * @param {number} pid
 * @param {string} identity as `identityOf` gave it when the process was known to be ours
 * @param {{ signal: NodeJS.Signals, timeoutMs: number, lastSignal: NodeJS.Signals }} policy timeoutMs in milliseconds
 */
export async function endForeign(pid, identity, { signal, timeoutMs, lastSignal }) {
  const gone = () => identityOf(pid) !== identity;
  if (gone()) return;
  sendSignal(pid, signal);
  if (await waitUntil(gone, timeoutMs)) return;
  sendSignal(pid, lastSignal);
  await waitUntil(gone, 2000);
}

/**
 * Ends what is left of a process group whose leader has ended.
 * @param {number} group
 */
async function endGroup(group) {
  const isEmpty = () => {
    try {
      process.kill(-group, 0);
      return false;
    } catch {
      return true;
    }
  };
  if (isEmpty()) return;
  sendSignal(-group, 'SIGTERM');
  if (!(await waitUntil(isEmpty, 9000))) sendSignal(-group, 'SIGKILL');
}

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {string} [input] written to its standard input
 * @property {AbortSignal} [stop] ends the command and everything it started
 * @property {boolean} [sweep] ends what the command left running in its group, and waits for it
 * @property {boolean} [show] prints what the command prints as it comes
 */

/**
 * Runs a command to its end in a process group of its own, so that it can be ended whole.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{ code: number | null, output: string }>} standard output and error together
 * @throws {Stopped} when `stop` fires
 * @throws {Failure} when the command can't be started
 */
export function runCommand(command, args, options = {}) {
  const { input, stop, show = false, sweep = false, ...spawnOptions } = options;
  if (stop?.aborted) return Promise.reject(new Stopped());
  return new Promise((resolve, reject) => {
    const output = show ? 'inherit' : 'pipe';
    const child = spawn(command, args, {
      ...spawnOptions,
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
    });
    let text = '';
    const collect = (/** @type {Buffer} */ chunk) => {
      text += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // A command may exit without reading its input; its exit code counts.
    child.stdin?.on('error', () => {}).end(input);
    const end = () => {
      if (!child.pid) return;
      sendSignal(-child.pid, 'SIGTERM');
      const group = -child.pid;
      setTimeout(() => sendSignal(group, 'SIGKILL'), 2000).unref();
    };
    stop?.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      stop?.removeEventListener('abort', end);
      reject(new Failure(`${command} could not be started: ${error.message}.`));
    });
    child.once('close', async (code) => {
      stop?.removeEventListener('abort', end);
      if (sweep && child.pid) await endGroup(child.pid);
      if (stop?.aborted) reject(new Stopped());
      else resolve({ code, output: text });
    });
  });
}

/**
 * The last lines of a large log.
 * @param {string} file
 * @param {number} lines
 * @param {number} [from] ignores what was written before this offset, in bytes
 */
export function tailOf(file, lines, from = 0) {
  try {
    const { size } = statSync(file);
    const start = Math.max(from, size - 16_384);
    const buffer = Buffer.alloc(Math.max(size - start, 0));
    const handle = openSync(file, 'r');
    readSync(handle, buffer, 0, buffer.length, start);
    closeSync(handle);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}
