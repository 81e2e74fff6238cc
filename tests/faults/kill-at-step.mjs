/**
 * Hook for `--import`: at the step of a picture's run that the file `KILL_AT` names, the worker or `api` removes folders and
 * kills processes, itself by default, once: the file is deleted before. Other processes of the product load it too and ignore it.
 */
import { readFileSync, rmSync } from 'node:fs';

const file = process.env.KILL_AT;
const KIND = 'image.enhance';
/** @param {string} main */
const isRunning = (main) => process.argv[1]?.endsWith(main) ?? false;

/** @param {string} step */
function killAt(step) {
  const kill = file ? readKill(file) : null;
  if (!file || kill?.step !== step) return;
  rmSync(file);
  for (const folder of kill.folders) rmSync(folder, { recursive: true, force: true });
  for (const pid of kill.pids ?? [process.pid]) process.kill(pid, 'SIGKILL');
}

/**
 * @param {string} path
 * @returns {import('./steps.ts').Kill | null}
 */
function readKill(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

if (isRunning('worker/dist/main.js')) {
  const dist = new URL('../../worker/dist/jobs/', import.meta.url);
  const { Steps } = await import(new URL('steps.js', dist).href);
  const { RunReports } = await import(new URL('reports.js', dist).href);

  const { run } = Steps.prototype;
  /**
   * @param {string} step
   * @param {() => Promise<unknown>} work
   */
  Steps.prototype.run = function (step, work) {
    return run.call(this, step, () => {
      const running = work();
      if (this.jobName === KIND) killAt(step);
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
      if (args[0].name === KIND) killAt(step);
      return original.apply(this, args);
    };
  }
}

if (isRunning('api/dist/main.js')) {
  const dist = new URL('../../api/dist/', import.meta.url);
  const { RunDispatcher } = await import(new URL('runs/dispatcher.js', dist).href);
  const { Settlement } = await import(new URL('runs/settlement.js', dist).href);
  const { EnhanceRun } = await import(new URL('tasks/enhance-run.js', dist).href);

  /**
   * @param {{ prototype: Record<string, Function> }} target
   * @param {string} method
   * @param {{ before?: string, after?: string, runOf: (args: { kind: string }[]) => { kind: string } | undefined }} steps
   */
  const killAround = ({ prototype }, method, { before, after, runOf }) => {
    const original = prototype[method];
    /** @param {{ kind: string }[]} args */
    prototype[method] = async function (...args) {
      const isWatched = runOf(args)?.kind === KIND;
      if (isWatched && before) killAt(before);
      const result = await original?.apply(this, args);
      if (isWatched && after) killAt(after);
      return result;
    };
  };
  killAround(RunDispatcher, 'publish', {
    before: 'before the publication',
    after: 'after the publication',
    runOf: ([run]) => run,
  });
  // In the transaction of the outcome.
  killAround(Settlement, 'apply', { after: 'before the commit of its outcome', runOf: (args) => args[2] });
  killAround(EnhanceRun, 'settled', { before: 'after the commit of its outcome', runOf: ([run]) => run });
}
