import { readFileSync } from 'node:fs';
import { processTreeOf } from './memory.ts';

const EVERY_MS = 200;

/** Largest resident memory of a process and all below it at one time, in MB. Pages that processes share count once. */
export class PeakMemory {
  private peak = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.timer = setInterval(() => {
      const memory = processTreeOf(pid).map(memoryOf);
      this.peak = Math.max(
        this.peak,
        memory.reduce((sum, each) => sum + each, 0),
      );
    }, EVERY_MS);
  }

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
