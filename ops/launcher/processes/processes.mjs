import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, Failure, Stopped } from './failure.mjs';

/**
 * Null without such a process or without /proc.
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
 * Fields of `/proc/PID/stat` after the process's name, which may contain spaces: state, parent, group; the processor times 12th to
 * 15th; the start time 20th. Null without such a process or without /proc.
 * @param {number | string} pid
 */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/**
 * Identifies a process by boot and start time, because ids are reused. Null for an ended process or zombie.
 * @param {number} pid
 */
export function identityOf(pid) {
  const fields = statOf(pid);
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return null;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
}

/**
 * Ids of the processes that work in a folder. Empty without /proc.
 * @param {string} folder without symbolic links
 */
export function processesIn(folder) {
  const isIn = (/** @type {string} */ pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  };
  try {
    return readdirSync('/proc').filter(isIn).map(Number);
  } catch {
    return [];
  }
}

/**
 * Processor time that the processes of a group have used, with their ended children, in clock ticks of 10 ms. Null
 * without /proc.
 * @param {number} group
 */
export function processorTicksOf(group) {
  try {
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(statOf);
    const times = processes
      .filter((fields) => fields?.[2] === String(group))
      .flatMap((fields) => fields?.slice(11, 15) ?? []);
    return times.reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return null;
  }
}

/**
 * @param {number} target process id, or negative process group id
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
 * Stops a process that another launcher started: by `signal`, then by `lastSignal`.
 * @param {number} pid
 * @param {string} identity from `identityOf`
 * @param {{ signal: NodeJS.Signals, timeoutMs: number, lastSignal: NodeJS.Signals }} policy
 */
export async function stopProcess(pid, identity, { signal, timeoutMs, lastSignal }) {
  const hasExited = () => identityOf(pid) !== identity;
  if (hasExited()) return;
  sendSignal(pid, signal);
  if (await waitUntil(hasExited, timeoutMs)) return;
  sendSignal(pid, lastSignal);
  await waitUntil(hasExited, 2000);
}

/**
 * Stops the remaining processes of a group.
 * @param {number} group
 */
async function stopGroup(group) {
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
 * @property {AbortSignal} [stop] ends the command and its children
 * @property {boolean} [sweep] stops processes that outlive the command
 * @property {boolean} [show] prints the output
 */

/**
 * Runs a command in its own process group, so that its children can be ended with it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{ code: number | null, output: string }>} output: stdout and stderr
 * @throws {Stopped} when `stop` fires
 * @throws {Failure} when it can't be started
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
    // The command may exit without reading its input.
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
      if (sweep && child.pid) await stopGroup(child.pid);
      if (stop?.aborted) reject(new Stopped());
      else resolve({ code, output: text });
    });
  });
}

/**
 * The last lines of a log.
 * @param {string} file
 * @param {number} lines
 * @param {number} [from] offset in bytes; earlier lines are ignored
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

/** Milliseconds. */
const PARENT_CHECK_INTERVAL = 200;

/**
 * Aborts on a signal, or when the npm that started this run has exited: npm passes a signal that only it received to
 * its shell, which exits without passing it on.
 * @param {NodeJS.ProcessEnv} env
 */
export function createStopSignal(env) {
  const controller = new AbortController();
  // A second signal has no effect.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => controller.abort());
  const parent = process.ppid;
  if (env.npm_lifecycle_event && parent !== 1) {
    setInterval(() => {
      if (process.ppid !== parent) controller.abort();
    }, PARENT_CHECK_INTERVAL).unref();
  }
  return controller.signal;
}
