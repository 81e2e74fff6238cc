/**
 * Hook for `--import`: the worker kills itself at the step named in the file `KILL_AT`, once: the file is deleted before.
 * Other processes of the product load it too and ignore it.
 */
import { readFileSync, rmSync } from 'node:fs';

const file = process.env.KILL_AT;
const isWorker = process.argv[1]?.endsWith('worker/dist/main.js') ?? false;

/** @param {string} step */
function killAt(step) {
  if (!file || readNamed(file) !== step) return;
  rmSync(file);
  process.kill(process.pid, 'SIGKILL');
}

/** @param {string} path */
function readNamed(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

if (isWorker) {
  const dist = new URL('../../worker/dist/jobs/', import.meta.url);
  const { Steps } = await import(new URL('handler/steps.js', dist).href);
  const { RunReports } = await import(new URL('execution/reports.js', dist).href);

  const { run } = Steps.prototype;
  /**
   * @param {string} step
   * @param {() => Promise<unknown>} work
   */
  Steps.prototype.run = function (step, work) {
    return run.call(this, step, () => {
      const running = work();
      if (this.jobName === 'image.enhance') killAt(step);
      return running;
    });
  };

  for (const [method, step] of [
    ['settle', 'before the report'],
    ['send', 'after the report'],
  ]) {
    const original = RunReports.prototype[method];
    /** @param {[{ name: string }, ...unknown[]]} args */
    RunReports.prototype[method] = function (...args) {
      if (args[0].name === 'image.enhance') killAt(step);
      return original.apply(this, args);
    };
  }
}
