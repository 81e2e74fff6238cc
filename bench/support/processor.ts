import { readFileSync } from 'node:fs';
import { processTreeOf } from './memory.ts';

/** Ticks of Linux per second. */
const TICKS = 100;
/** Fields of `/proc/<pid>/stat`, counted after the program's name: user and system time, own and of ended children. */
const FIELDS = [11, 12, 13, 14] as const;
const CHILD_FIELDS = [13, 14] as const;

function ticksIn(stat: string, counted: readonly number[]): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return counted.reduce((sum, field) => sum + Number(fields[field]), 0);
}

function ticksOf(pid: number): number {
  try {
    return ticksIn(readFileSync(`/proc/${pid}/stat`, 'utf8'), FIELDS);
  } catch {
    return 0;
  }
}

/** Seconds of processor time of a process and its descendants so far. Linux only. */
export const processorSecondsOf = (pid: number): number =>
  processTreeOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / TICKS;

/** Seconds of processor time of all ended children of this process. Linux only. */
export const processorSecondsOfChildren = (): number =>
  ticksIn(readFileSync('/proc/self/stat', 'utf8'), CHILD_FIELDS) / TICKS;
