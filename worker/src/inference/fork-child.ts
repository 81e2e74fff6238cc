import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';

interface ForkOptions {
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** On Linux the child's threads and programs inherit it. */
  readonly niceness: number;
  /** Its fourth descriptor: one of this process, or a new pipe. */
  readonly shared: number | 'pipe';
  readonly execArgv?: string[];
}

/** A process of its own for work that may block or take memory; its output goes to this one's. */
export function forkChild(path: URL, { environment, niceness, shared, execArgv = [] }: ForkOptions): ChildProcess {
  const child = fork(path, {
    serialization: 'advanced',
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', shared],
    execArgv,
  });
  try {
    // Right after the fork, before it makes threads.
    if (child.pid !== undefined) setPriority(child.pid, niceness);
  } catch {
    // Already exited; see the 'exit' event.
  }
  return child;
}

/** Descriptor of `shared` in the child. */
export const SHARED_FD = 4;
