import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type SilenceWatch, watchSilence } from '@clearframe/runtime/concurrency';

/** ffmpeg ended with an error; the message holds its last lines, which may name files. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
}

/** A limit of time or a signal ended ffmpeg, or it did not start: another attempt may succeed. */
export class FfmpegInterruptedError extends Error {
  override readonly name = 'FfmpegInterruptedError';
}

export interface RunOptions {
  /** Its working directory: a folder of its own, where it may write. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Time after which it is killed. */
  readonly timeoutMs: number;
  /** Time without progress after which it is killed; by default {@link STALL_MS}. */
  readonly stallMs?: number;
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
  /** Settles when the program has ended. @throws FfmpegError, FfmpegInterruptedError, or the signal's reason */
  readonly done: Promise<void>;
  kill(reason?: FfmpegInterruptedError): void;
}

/** A program that reads or writes nothing for this long counts as stuck. */
const STALL_MS = 60_000;
/** Lines of its error output that a message shows. */
const KEPT_LINES = 8;
/** Limit of address space, in kilobytes. */
const MAX_MEMORY_KB = 4_000_000;
const BLOCK = 512;
/** Added to the niceness of its parent. */
const NICENESS = 2;

/**
 * Runs a program with limits. A second process waits for the end of descriptor 3, whose other end this process holds:
 * when this process dies, even by SIGKILL, the program is killed. `read` is a shell builtin.
 */
const GUARD = `ulimit -f "$1"; ulimit -v "$2" 2>/dev/null
{ echo "$3" > /proc/self/autogroup; } 2>/dev/null
shift 3
exec 4<&0
nice -n ${NICENESS} "$@" <&4 4<&- 3<&- & program=$!
exec 4<&- </dev/null
(read -r _ <&3; kill -KILL $program) >/dev/null 2>&1 & guard=$!
exec 3<&-
wait $program; status=$?
kill $guard 2>/dev/null
exit $status`;

let aliveFd: number | 'ignore' = 'ignore';

/** Programs hold this descriptor open: its other end is closed when the last of them has ended. */
export function inheritAliveFd(descriptor: number): void {
  aliveFd = descriptor;
}

/** Starts ffmpeg or ffprobe in a process group of its own. */
export function runTool(program: string, parameters: readonly string[], options: RunOptions): Running {
  options.signal.throwIfAborted();
  // Linux may share processors between sessions first (`man 7 sched`, autogroup). Requests wait for the worker's
  // programs; those of a video's process run below them.
  const limits = [Math.ceil(options.maxBytes / BLOCK), MAX_MEMORY_KB, getPriority()].map(String);
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...limits, program, ...parameters], {
    cwd: options.folder,
    // Without the worker's secrets.
    env: { PATH: process.env.PATH, HOME: options.folder, LC_ALL: 'C' },
    stdio: [options.reads ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe', 'ignore', aliveFd],
    detached: true,
  });
  const { stdin, stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('a process without output');
  let reason: FfmpegInterruptedError | undefined;
  const kill = (why?: FfmpegInterruptedError) => {
    reason ??= why;
    killGroup(child);
  };
  const abort = () => kill();
  const lines: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => {
    if (options.onLine?.(line)) return;
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
  });
  // The end of the process reports closed pipes.
  for (const pipe of child.stdio) pipe?.on('error', () => undefined);
  const done = new Promise<void>((resolve, reject) => {
    const { timeoutMs } = options;
    const timer = setTimeout(() => kill(new FfmpegInterruptedError(`not finished after ${timeoutMs} ms`)), timeoutMs);
    options.signal.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', abort);
      if (options.signal.aborted) reject(options.signal.reason);
      else if (code === 0) resolve();
      else reject(reason ?? errorOf(code, `${signal ?? `code ${code}`}: ${lines.join(' | ')}`));
    });
  });
  // Awaited later than it may fail.
  done.catch(() => undefined);
  return { stdin, stdout, done, kill };
}

/**
 * The shell's status is 128 and the number of the signal that ended the program, 126 or 127 if it did not start.
 * ffmpeg's own are 1 or an error's number: network errors are 128 to 159, those of files lie above.
 */
const INTERRUPTED = { from: 126, to: 159 } as const;

const errorOf = (code: number | null, message: string): Error =>
  code === null || (code >= INTERRUPTED.from && code <= INTERRUPTED.to)
    ? new FfmpegInterruptedError(message)
    : new FfmpegError(message);

/** Kills a program that is stuck while this work waits for it. @throws FfmpegInterruptedError */
export async function withinStall<Result>(
  work: Promise<Result>,
  { done, kill }: Running,
  stallMs = STALL_MS,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = noProgress(stallMs);
      kill(error);
      done.then(() => reject(error), reject);
    }, stallMs);
  });
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }
}

const noProgress = (stallMs: number) => new FfmpegInterruptedError(`no progress for ${stallMs} ms`);

/** Kills a program unless `progressed` is called often enough. */
export function watchProgress({ kill }: Running, stallMs = STALL_MS): SilenceWatch {
  return watchSilence(stallMs, () => kill(noProgress(stallMs)));
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
