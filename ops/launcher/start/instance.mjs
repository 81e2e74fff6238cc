import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf, Failure } from '../processes/failure.mjs';
import { identityOf, sendSignal, stopProcess, waitUntil } from '../processes/processes.mjs';

/**
 * One launcher per data folder, which records its processes, so that the next can stop those of a killed launcher.
 * @typedef {{ pid: number, identity: string }} ProcessRef
 * @typedef {{ launcher: ProcessRef, url: string, isEnding: boolean, services: Record<string, ProcessRef>, databaseUrl?: string }} RunRecord
 */

/** Slightly more than a launcher takes to stop, in milliseconds. */
const STOP_TIMEOUT_MS = 9000;

/** PostgreSQL and Redis first finish writing. */
/** @type {Record<'postgres' | 'redis' | 'other', { signal: NodeJS.Signals, timeoutMs: number, lastSignal: NodeJS.Signals }>} */
const STOP_POLICIES = {
  postgres: { signal: 'SIGINT', timeoutMs: 5000, lastSignal: 'SIGQUIT' },
  redis: { signal: 'SIGTERM', timeoutMs: 5000, lastSignal: 'SIGKILL' },
  other: { signal: 'SIGTERM', timeoutMs: 3000, lastSignal: 'SIGKILL' },
};

/** @param {ProcessRef | undefined} known */
const isAlive = (known) => known !== undefined && identityOf(known.pid) === known.identity;

/**
 * @param {string} file
 * @returns {RunRecord | null} null when absent or truncated (power loss)
 */
function readRecord(file) {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'));
    return record?.launcher && record?.services ? record : null;
  } catch {
    return null;
  }
}

/**
 * @typedef {Awaited<ReturnType<typeof claim>>} Instance
 * @param {string} dataFolder
 * @param {string} url shown by a second launcher
 * @throws {Failure} when another launcher uses the folder
 */
export async function claim(dataFolder, url) {
  const file = path.join(dataFolder, 'launcher.json');
  const own = { pid: process.pid, identity: identityOf(process.pid) ?? 'unknown' };
  /** @type {RunRecord} */
  const record = { launcher: own, url, isEnding: false, services: {} };
  const content = () => `${JSON.stringify(record, null, 2)}\n`;
  const save = () => {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, content(), { mode: 0o600 });
    renameSync(draft, file);
  };
  const previous = readRecord(file);
  const launcher = previous?.launcher;
  // npm exits on a signal before its launcher has stopped everything; an immediate restart waits.
  if (previous?.isEnding) await waitUntil(() => !isAlive(launcher), STOP_TIMEOUT_MS);
  if (previous && isAlive(launcher)) {
    throw new Failure(
      `Clearframe already runs on this data folder: process ${previous.launcher.pid}, ${previous.url}.`,
    );
  }
  // Exclusive creation decides between two simultaneous starts.
  rmSync(file, { force: true });
  try {
    writeFileSync(file, content(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Failure(`Another process is starting Clearframe on this data folder: ${url}.`);
  }
  return {
    /**
     * Services of a killed launcher.
     * @returns {string[]} names
     */
    orphans: () => Object.keys(previous?.services ?? {}).filter((name) => isAlive(previous?.services[name])),
    /** The product's own processes exit by themselves, so they are awaited first. */
    async stopOrphans() {
      const services = Object.entries(previous?.services ?? {}).filter(([, known]) => isAlive(known));
      await waitUntil(() => services.every(([name, known]) => name in STOP_POLICIES || !isAlive(known)), 1500);
      await Promise.all(
        services.map(async ([name, known]) => {
          await stopProcess(
            known.pid,
            known.identity,
            STOP_POLICIES[/** @type {keyof typeof STOP_POLICIES} */ (name)] ?? STOP_POLICIES.other,
          );
          // Each leads its own process group; its children are stopped too.
          if (!(name in STOP_POLICIES)) sendSignal(-known.pid, 'SIGKILL');
        }),
      );
    },
    /**
     * @param {string} name
     * @param {number} pid
     */
    recordProcess(name, pid) {
      record.services[name] = { pid, identity: identityOf(pid) ?? 'ended' };
      save();
    },
    /**
     * For `pnpm ops`; only this user can read the record.
     * @param {string} databaseUrl
     */
    publishDatabase(databaseUrl) {
      record.databaseUrl = databaseUrl;
      save();
    },
    /** Lets a start during shutdown wait instead of failing. */
    markStopping() {
      record.isEnding = true;
      save();
    },
    release() {
      if (readRecord(file)?.launcher.identity === own.identity) rmSync(file, { force: true });
    },
  };
}
