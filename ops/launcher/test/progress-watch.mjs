import { readFileSync } from 'node:fs';

const POLL_INTERVAL_MS = 1000;

/** @typedef {import('./progress-reporter.mjs').Progress} Progress */

/**
 * @param {string} file
 * @returns {Progress | null} null until written
 */
export function readProgress(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Detects a stalled test run. Total time is not limited: a slow machine is not a failure.
 * @param {string} file of the progress reporter
 * @param {(stalled: Progress) => void} onStall called once
 * @param {number} [interval] milliseconds
 * @returns {() => void} ends the watch
 */
export function watchProgress(file, onStall, interval = POLL_INTERVAL_MS) {
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
