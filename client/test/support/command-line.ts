import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Runs `clearframe` with an environment of its own. @param input of its standard input */
export function startClearframe(
  args: readonly string[],
  { cwd, env, input = '' }: { cwd?: string; env: Readonly<Record<string, string>>; input?: string },
): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]).then(([ending, printed, errors]) => ({
    code: ending,
    lines: printed.split('\n').filter((line) => line !== ''),
    errors,
  }));
  return { child, ended };
}
