import { readFileSync } from 'node:fs';
import { processTreeOf } from '../support/memory.ts';

const EVERY_MS = 200;

/** Largest resident memory, proportionally shared, of this process, which stands for the worker, and all below it, in MB. */
export class PeakMemory {
  private peak = 0;
  private readonly timer = setInterval(() => {
    const all = processTreeOf(process.pid);
    this.peak = Math.max(
      this.peak,
      all.reduce((sum, pid) => sum + memoryOf(pid), 0),
    );
  }, EVERY_MS);

  stop(): number {
    clearInterval(this.timer);
    return Math.round(this.peak / 1000);
  }
}

/** In kilobytes; 0 for a process that has ended. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0);
  } catch {
    return 0;
  }
}
