import { type ChildProcess, fork, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

interface ForkOptions {
  /** Variables of which `environment` changes some; by default this process's. */
  readonly inherited?: NodeJS.ProcessEnv;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** On Linux the child's threads and programs inherit it. */
  readonly niceness: number;
  /** Its fourth descriptor: one of this process, or a new pipe. */
  readonly shared: number | 'pipe';
  /** A program that runs Node with these and further arguments; by default Node itself. */
  readonly execPath?: string;
  readonly execArgv?: string[];
  /**
   * For a process that isn't trusted: pipes as its standard input and {@link ANSWERS_FD} instead of Node's messages, which end this
   * process when they are malformed.
   */
  readonly hasPipes?: boolean;
}

/** A process of its own for work that may block or take memory; its output goes to this one's. */
export function forkChild(
  path: URL,
  {
    inherited = process.env,
    environment,
    niceness,
    shared,
    execPath = process.execPath,
    execArgv = [],
    hasPipes = false,
  }: ForkOptions,
): ChildProcess {
  // That of the worker, for its strips, would take networks a tenth more of the processor.
  const env = { ...inherited, MALLOC_MMAP_THRESHOLD_: undefined, ...environment };
  const child = hasPipes
    ? spawn(execPath, [...execArgv, fileURLToPath(path)], {
        env,
        stdio: ['pipe', 'inherit', 'inherit', 'pipe', shared],
      })
    : fork(path, {
        serialization: 'advanced',
        env,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc', shared],
        execPath,
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

/** Where a child with pipes writes. */
export const ANSWERS_FD = 3;
/** Descriptor of `shared` in the child. */
export const SHARED_FD = 4;
