import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** ffmpeg ended with an error; the message holds its last lines, which may name files. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
}

export interface RunOptions {
  /** Its working directory: a folder of its own, where it may write. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Time after which it is killed. */
  readonly timeoutMs: number;
  /** Largest file that it may write. */
  readonly maxBytes: number;
  /** True: `stdin` is a pipe. */
  readonly reads?: boolean;
  /** Lines of its error output; those for which it returns true are not kept for messages. */
  readonly onLine?: (line: string) => boolean;
}

export interface Running {
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** @throws FfmpegError, or the signal's reason */
  readonly done: Promise<void>;
  kill(): void;
}

/** A program that reads or writes nothing for this long counts as stuck. */
export const STALL_MS = 60_000;
/** Lines of its error output that a message shows. */
const KEPT_LINES = 8;
/** Limit of address space, in kilobytes. */
const MAX_MEMORY_KB = 4_000_000;
const BLOCK = 512;
/** Added to the niceness of its parent. */
const NICENESS = 2;
/** Five more than the worker's: Linux may share processors between sessions first (`man 7 sched`, autogroup). */
const SESSION_NICENESS = 10;

/**
 * Runs a program with limits. A second process waits for the end of descriptor 3, whose other end this process holds:
 * when this process dies, even by SIGKILL, the program is killed. `read` is a builtin, so that nothing remains.
 */
const GUARD = `ulimit -f "$1"; ulimit -v "$2" 2>/dev/null; shift 2
{ echo ${SESSION_NICENESS} > /proc/self/autogroup; } 2>/dev/null
exec 4<&0
nice -n ${NICENESS} "$@" <&4 4<&- 3<&- & program=$!
exec 4<&- </dev/null
(read -r _ <&3; kill -KILL $program) >/dev/null 2>&1 & guard=$!
exec 3<&-
wait $program; status=$?
kill $guard 2>/dev/null
exit $status`;

let lifeline: number | 'ignore' = 'ignore';

/** Programs hold this descriptor open: its other end is closed when the last of them has ended. */
export function shareLifeline(descriptor: number): void {
  lifeline = descriptor;
}

/** Starts ffmpeg or ffprobe in a process group of its own. */
export function runTool(program: string, parameters: readonly string[], options: RunOptions): Running {
  options.signal.throwIfAborted();
  const limits = [String(Math.ceil(options.maxBytes / BLOCK)), String(MAX_MEMORY_KB)];
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...limits, program, ...parameters], {
    cwd: options.folder,
    // Without the worker's secrets.
    env: { PATH: process.env.PATH, HOME: options.folder, LC_ALL: 'C' },
    stdio: [options.reads ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe', 'ignore', lifeline],
    detached: true,
  });
  const { stdin, stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('a process without output');
  const kill = () => killGroup(child);
  const lines: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => {
    if (options.onLine?.(line)) return;
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
  });
  // Closed pipes are seen as the end of the process.
  for (const pipe of child.stdio) pipe?.on('error', () => undefined);
  const done = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new FfmpegError(`not finished after ${options.timeoutMs} ms`));
      kill();
    }, options.timeoutMs);
    options.signal.addEventListener('abort', kill, { once: true });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', kill);
      if (options.signal.aborted) reject(options.signal.reason);
      else if (code === 0) resolve();
      else reject(new FfmpegError(`${signal ?? `code ${code}`}: ${lines.join(' | ')}`));
    });
  });
  // Awaited later than it may fail.
  done.catch(() => undefined);
  return { stdin, stdout, done, kill };
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
