import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf, Failure } from '../processes/failure.mjs';
import { endForeign, identityOf, sendSignal, waitUntil } from '../processes/processes.mjs';

/**
 * One launcher for each data folder, with a record of the processes it started, so that the next one can end those that a
 * killed launcher left running.
 * @typedef {{ pid: number, identity: string }} Known
 * @typedef {{ launcher: Known, url: string, isEnding: boolean, services: Record<string, Known>, databaseUrl?: string }} RunRecord
 */

/** Slightly more than a launcher takes to stop everything, in milliseconds. */
const ENDING_LIMIT = 9000;

/** PostgreSQL and Redis finish writing first; the others have nothing that is not already safe. */
/** @type {Record<'postgres' | 'redis' | 'other', { signal: NodeJS.Signals, timeoutMs: number, lastSignal: NodeJS.Signals }>} */
const STOP_POLICIES = {
  postgres: { signal: 'SIGINT', timeoutMs: 5000, lastSignal: 'SIGQUIT' },
  redis: { signal: 'SIGTERM', timeoutMs: 5000, lastSignal: 'SIGKILL' },
  other: { signal: 'SIGTERM', timeoutMs: 3000, lastSignal: 'SIGKILL' },
};

/** @param {Known | undefined} known */
const isAlive = (known) => known !== undefined && identityOf(known.pid) === known.identity;

/**
 * @param {string} file
 * @returns {RunRecord | null} null when there is none, or none that makes sense (a machine that lost power)
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
 * Claims the data folder for this process.
 * @typedef {Awaited<ReturnType<typeof claim>>} Instance
 * @param {string} dataFolder
 * @param {string} url the address shown when a second launcher is started
 * @throws {Failure} when another launcher runs on it
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
  // npm exits at a signal before its launcher has stopped everything; a start right after it waits.
  if (previous?.isEnding) await waitUntil(() => !isAlive(launcher), ENDING_LIMIT);
  if (previous && isAlive(launcher)) {
    throw new Failure(
      `Clearframe already runs on this data folder: process ${previous.launcher.pid}, ${previous.url}.`,
    );
  }
  // Creating it exclusively decides between two that start in the same moment.
  rmSync(file, { force: true });
  try {
    writeFileSync(file, content(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Failure(`Clearframe is just being started on this data folder by another process: ${url}.`);
  }
  return {
    /**
     * Services that a killed launcher left running. The caller ends them, which may take seconds.
     * @returns {string[]} names
     */
    leftovers: () => Object.keys(previous?.services ?? {}).filter((name) => isAlive(previous?.services[name])),
    /** Ends the leftovers. The product's own processes exit by themselves, so they are awaited first. */
    async endLeftovers() {
      const services = Object.entries(previous?.services ?? {}).filter(([, known]) => isAlive(known));
      await waitUntil(() => services.every(([name, known]) => name in STOP_POLICIES || !isAlive(known)), 1500);
      await Promise.all(
        services.map(async ([name, known]) => {
          await endForeign(
            known.pid,
            known.identity,
            STOP_POLICIES[/** @type {keyof STOP_POLICIES} */ (name)] ?? STOP_POLICIES.other,
          );
          // Each was started as the leader of its own group; what it had started in turn goes with it.
          if (!(name in STOP_POLICIES)) sendSignal(-known.pid, 'SIGKILL');
        }),
      );
    },
    /**
     * @param {string} name
     * @param {number} pid
     */
    remember(name, pid) {
      record.services[name] = { pid, identity: identityOf(pid) ?? 'ended' };
      save();
    },
    /**
     * Records the database's address for `pnpm ops`; only this user can read the record.
     * @param {string} databaseUrl
     */
    publishDatabase(databaseUrl) {
      record.databaseUrl = databaseUrl;
      save();
    },
    /** Records that shutdown is under way, so that a start meanwhile waits instead of failing. */
    announceEnd() {
      record.isEnding = true;
      save();
    },
    release() {
      if (readRecord(file)?.launcher.identity === own.identity) rmSync(file, { force: true });
    },
  };
}
