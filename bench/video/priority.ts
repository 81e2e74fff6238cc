import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, setPriority } from 'node:os';

const PICTURE_NICENESS = 5;
const ROUNDS = 3e8;
const WORK = `let sum = 0; for (let at = 0; at < ${ROUNDS}; at++) sum = (sum + at) | 0; process.exitCode = sum === 1 ? 1 : 0;`;

/** Seconds that work on every core takes at the priority of pictures. */
export async function measurePriority(): Promise<number> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      const child = spawn(process.execPath, ['-e', WORK], { stdio: 'ignore' });
      const exited = once(child, 'exit');
      if (child.pid !== undefined) setPriority(child.pid, PICTURE_NICENESS);
      await exited;
    }),
  );
  return (performance.now() - started) / 1000;
}
