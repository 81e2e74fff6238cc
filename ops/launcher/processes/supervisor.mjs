import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure, Stopped } from './failure.mjs';
import { processorTicksOf, sendSignal, tailOf, waitUntil } from './processes.mjs';

/**
 * @typedef {object} ServiceSpec
 * @property {string} name
 * @property {(output: number) => Promise<import('node:child_process').ChildProcess>} launch in a process group of
 *   its own, writing to the file descriptor
 * @property {() => Promise<boolean>} isReady
 * @property {() => Promise<string>} [whyNotReady] the reason, or an empty text
 * @property {NodeJS.Signals} stopSignal
 * @property {NodeJS.Signals} lastSignal after the timeout
 * @property {boolean} [needsWatchdog] does not detect itself that the launcher was killed
 * @property {boolean} [waitsForChange] is not started again when it ends, but by `Supervisor.restart`
 */

/** Another start would not help after five within a minute that did not get ready. */
const FAILED_STARTS_LIMIT = 5;
const CRASH_WINDOW = 60_000;
/**
 * A process that is not ready has to use this much processor time within this many milliseconds.
 * @typedef {{ limitMs: number, progressTicks: number }} StartLimit
 * @type {StartLimit}
 */
const START_LIMIT = { limitMs: 120_000, progressTicks: 100 };
const PROGRESS_CHECK_MS = 1000;
/** Larger logs are rotated at start. */
const LOG_LIMIT_BYTES = 5_000_000;

/**
 * @typedef {object} Crash
 * @property {number} time in milliseconds
 * @property {boolean} wasReady false: the start failed
 */

/**
 * Delay before the next start, in milliseconds: 100, 300, 900, then 2,700; null to give up. What runs until it is killed
 * is started again however often that happens.
 * @param {readonly Crash[]} crashes
 * @param {number} now
 */
export function restartDelay(crashes, now) {
  const recent = crashes.filter(({ time }) => now - time < CRASH_WINDOW);
  if (recent.filter(({ wasReady }) => !wasReady).length >= FAILED_STARTS_LIMIT) return null;
  return 100 * 3 ** Math.min(Math.max(recent.length - 1, 0), 3);
}

/**
 * A shell waits for the end of its input, which only the launcher holds open.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function startWatchdog(pid, signal) {
  const script = 'read -r _; kill -s "$1" "$2"';
  const shell = spawn('/bin/sh', ['-c', script, 'sh', signal.slice('SIG'.length), String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The next start stops orphans anyway.
  shell.once('error', () => {});
  return () => shell.kill('SIGKILL');
}

class Service {
  /** @type {Crash[]} */
  #crashes = [];
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** @type {NodeJS.Timeout | undefined} */
  #restart;
  /** @type {Promise<void>} */
  #launching = Promise.resolve();
  #stopping = false;
  #restarting = false;
  /** Whether the current or last process has become ready. */
  isReady = false;
  get isSettled() {
    return this.isReady || this.#child === null;
  }

  /** In the log, at the start of the current process. */
  #logOffset = 0;

  /**
   * @param {ServiceSpec} spec
   * @param {{ log: string, report: import('./report.mjs').Report, recordProcess: (name: string, pid: number) => void, giveUp: (failure: Failure) => void, stop: AbortSignal }} context
   */
  constructor(spec, context) {
    this.spec = spec;
    this.context = context;
  }

  launch() {
    this.#launching = this.#launch();
    return this.#launching;
  }

  async #launch() {
    const output = openSync(this.context.log, 'a');
    this.#logOffset = fstatSync(output).size;
    let child;
    try {
      child = await this.spec.launch(output);
    } finally {
      closeSync(output);
    }
    this.#child = child;
    const { name, stopSignal, needsWatchdog } = this.spec;
    if (child.pid) this.context.recordProcess(name, child.pid);
    const stopWatchdog = child.pid && needsWatchdog ? startWatchdog(child.pid, stopSignal) : null;
    void this.#watchReadiness(child);
    let ended = false;
    const onEnd = (/** @type {string} */ how) => {
      if (ended) return;
      ended = true;
      this.#child = null;
      stopWatchdog?.();
      // Its children (inference, ffmpeg) must not outlive it.
      if (child.pid) sendSignal(-child.pid, 'SIGKILL');
      if (!this.#stopping && !this.#restarting && !this.context.stop.aborted) this.#onCrash(how);
    };
    child.once('error', (error) => {
      if (!child.pid) onEnd(error.message);
    });
    child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
  }

  /**
   * Until the process is ready or has ended.
   * @param {import('node:child_process').ChildProcess} child
   */
  async #watchReadiness(child) {
    this.isReady = false;
    await waitUntil(async () => {
      if (this.#child !== child) return true;
      const isReady = await this.spec.isReady();
      // The answer of an ended process says nothing about the next one.
      if (this.#child === child) this.isReady = isReady;
      return isReady;
    }, Number.POSITIVE_INFINITY);
  }

  /** @param {string} how */
  #onCrash(how) {
    const { name } = this.spec;
    const { log, report, giveUp } = this.context;
    if (this.spec.waitsForChange) {
      report.line(`${name} ended (${how}); it starts again with the next change`);
      return;
    }
    this.#crashes.push({ time: Date.now(), wasReady: this.isReady });
    const delay = restartDelay(this.#crashes, Date.now());
    if (delay === null) {
      const message = `${name} ended ${FAILED_STARTS_LIMIT} times within a minute before it was ready (${how}); its log is ${log}.`;
      giveUp(new Failure(message, tailOf(log, 20, this.#logOffset)));
      return;
    }
    report.line(`${name} ended (${how}); starting it again`);
    const lastLines = tailOf(log, 5, this.#logOffset);
    if (how.startsWith('exit') && lastLines) report.line(lastLines.replace(/^/gm, '  '));
    this.#restart = setTimeout(() => {
      this.launch().catch((error) => giveUp(new Failure(`${name} could not be started again: ${error.message}`)));
    }, delay);
  }

  /** Replaces the process without waiting for what it does. */
  async restart() {
    await this.#launching.catch(() => {});
    const pid = this.#child?.pid;
    if (pid) {
      this.#restarting = true;
      sendSignal(-pid, 'SIGKILL');
      await waitUntil(() => this.#child === null, Number.POSITIVE_INFINITY, 5);
      this.#restarting = false;
    }
    if (!this.#stopping) await this.launch();
  }

  /** Of the current process and its children. */
  get processorTicks() {
    return this.#child?.pid ? processorTicksOf(this.#child.pid) : null;
  }

  /** @param {number} timeoutMs */
  async stop(timeoutMs) {
    this.#stopping = true;
    clearTimeout(this.#restart);
    await this.#launching.catch(() => {});
    const pid = this.#child?.pid;
    if (!pid) return;
    const hasEnded = () => this.#child === null;
    sendSignal(pid, this.spec.stopSignal);
    if (await waitUntil(hasEnded, timeoutMs, 20)) return;
    sendSignal(pid, this.spec.lastSignal);
    if (await waitUntil(hasEnded, 500, 20)) return;
    sendSignal(-pid, 'SIGKILL');
    await waitUntil(hasEnded, 500, 20);
  }
}

export class Supervisor {
  /** @type {Map<string, Service>} */
  #services = new Map();
  /** @type {(failure: Failure) => void} */
  #giveUp = () => {};
  /** @type {Failure | null} */
  #failure = null;
  /**
   * Resolves when a service keeps crashing.
   * @type {Promise<Failure>}
   */
  failed = new Promise((resolve) => {
    this.#giveUp = (failure) => {
      this.#failure ??= failure;
      resolve(failure);
    };
  });

  /**
   * @param {object} options
   * @param {string} options.logFolder
   * @param {import('./report.mjs').Report} options.report
   * @param {AbortSignal} options.stop ends waiting, not services
   * @param {(name: string, pid: number) => void} [options.recordProcess]
   */
  constructor({ logFolder, report, stop, recordProcess = () => {} }) {
    this.logFolder = logFolder;
    this.report = report;
    this.stop = stop;
    this.recordProcess = recordProcess;
    mkdirSync(logFolder, { recursive: true });
  }

  get isBusy() {
    return this.#services.size > 0;
  }

  /**
   * Resolves once the service is ready. Total time is not limited: a slow machine is not a failure.
   * @param {ServiceSpec} spec
   * @param {StartLimit} [limit]
   */
  async start(spec, limit = START_LIMIT) {
    const log = path.join(this.logFolder, `${spec.name}.log`);
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(log, `${log}.1`);
    const { report, recordProcess, stop } = this;
    const giveUp = (/** @type {Failure} */ failure) => this.#giveUp(failure);
    const service = new Service(spec, { log, report, recordProcess, giveUp, stop });
    this.#services.set(spec.name, service);
    await service.launch();
    const isSettled = await this.#waitWhileProgressing(service, limit);
    if (this.stop.aborted) throw new Stopped();
    if (this.#failure) throw this.#failure;
    if (isSettled) return;
    const reason = (await spec.whyNotReady?.()) || `it has made no progress for ${limit.limitMs / 1000} s`;
    throw new Failure(`${spec.name} is not ready: ${reason}; its log is ${log}.`, tailOf(log, 20));
  }

  /**
   * @param {Service} service
   * @param {StartLimit} limit
   * @returns {Promise<boolean>} false when the service neither became ready nor did anything for the limit
   */
  async #waitWhileProgressing(service, { limitMs, progressTicks }) {
    const isSettled = () => this.stop.aborted || this.#failure !== null || service.isReady;
    const interval = Math.min(limitMs, PROGRESS_CHECK_MS);
    let idleMs = 0;
    let ticks = service.processorTicks;
    while (!(await waitUntil(isSettled, interval))) {
      const now = service.processorTicks;
      // Fewer: of another process, after a crash.
      const isProgressing = now !== null && (ticks === null || now < ticks || now - ticks >= progressTicks);
      idleMs = isProgressing ? 0 : idleMs + interval;
      if (isProgressing) ticks = now;
      if (idleMs >= limitMs) return false;
    }
    return true;
  }

  /**
   * Starts services again after a change of their code; resolves once they are ready or have ended.
   * @param {readonly string[]} names
   */
  async restart(names) {
    const services = names.flatMap((name) => this.#services.get(name) ?? []);
    await Promise.all(services.map((service) => service.restart()));
    await waitUntil(
      () => this.stop.aborted || services.every((service) => service.isSettled),
      Number.POSITIVE_INFINITY,
    );
  }

  /**
   * @param {readonly string[]} names stopped concurrently
   * @param {number} timeoutMs then they are killed
   */
  async end(names, timeoutMs) {
    await Promise.all(names.map((name) => this.#services.get(name)?.stop(timeoutMs)));
  }
}
