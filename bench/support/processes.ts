import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
};

function processTreeOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const tree = new Set([pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const candidate of all) {
      if (tree.has(candidate) || !tree.has(parentOf(candidate))) continue;
      tree.add(candidate);
      grown = true;
    }
  }
  return [...tree];
}

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

/** Ids of the processes below one whose command has this part. */
export const childrenOf = (pid: number, command: string): number[] =>
  processTreeOf(pid).filter(
    (child) => child !== pid && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(command),
  );

/** Forgets the greatest resident memory of a process. Linux only, as {@link peakOf}. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Greatest resident memory of a process since {@link resetPeak}, in MB. */
export function peakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kilobytes) * 1024) / 1e6);
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

/** Ticks of Linux per second. */
const TICKS = 100;
/** Fields of `/proc/<pid>/stat`, counted after the program's name: user and system time, own and of ended children. */
const FIELDS = [11, 12, 13, 14] as const;
const CHILDREN = FIELDS.slice(2);

function ticksOf(pid: number, counted: readonly number[] = FIELDS): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return counted.reduce((sum, field) => sum + Number(fields[field]), 0);
  } catch {
    return 0;
  }
}

/** Seconds of processor time of a process and its descendants so far. Linux only. */
export const processorSecondsOf = (pid: number): number =>
  processTreeOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / TICKS;

/** Seconds of processor time of all ended children of this process and theirs. Linux only. */
export const processorSecondsOfChildren = (): number => ticksOf(process.pid, CHILDREN) / TICKS;
