import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Exchange } from './exchange.js';

/** A third of the normal weight: requests come first, and pictures still complete on a busy machine. */
const INFERENCE_NICENESS = 5;

export function forkChild(path: URL, environment: NodeJS.ProcessEnv, exchange: Exchange): ChildProcess {
  const child = fork(path, {
    serialization: 'advanced',
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', exchange.fd],
    execArgv: ['--expose-gc'],
  });
  lowerPriority(child);
  return child;
}

/** Set right after the fork: on Linux threads inherit their creator's priority. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, INFERENCE_NICENESS);
  } catch {
    // Already exited; see the 'exit' event.
  }
}
