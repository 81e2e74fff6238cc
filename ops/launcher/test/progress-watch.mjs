import { readFileSync } from 'node:fs';

/** Interval of reading the progress, in milliseconds. */
const LOOK_INTERVAL_MS = 1000;

/** @typedef {import('./progress-reporter.mjs').Progress} Progress */

/**
 * @param {string} file
 * @returns {Progress | null} null as long as there is none
 */
export function readProgress(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Watches a test run for lack of progress, never for its total time: a slow machine is no failure.
 * @param {string} file as the progress reporter writes it
 * @param {(stalled: Progress) => void} onStall called once, when nothing has finished for longer than any running test
 *   may take
 * @param {number} [interval] milliseconds
 * @returns {() => void} ends the watch
 */
export function watchProgress(file, onStall, interval = LOOK_INTERVAL_MS) {
  const timer = setInterval(() => {
    const progress = readProgress(file);
    if (!progress || Date.now() - progress.at <= progress.limit) return;
    clearInterval(timer);
    onStall(progress);
  }, interval);
  return () => clearInterval(timer);
}

/** @param {Progress} stalled */
export function describeStall({ at, running }) {
  const seconds = Math.round((Date.now() - at) / 1000);
  const names = running.length > 0 ? running : ['no test: the setup or the end of the run'];
  return [
    `No test or hook has started or finished for ${seconds} s. Running:`,
    ...names.map((name) => `  ${name}`),
  ].join('\n');
}
