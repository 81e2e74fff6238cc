import { readFileSync } from 'node:fs';
import { processTreeOf } from './memory.ts';

/** Ticks of Linux per second. */
const TICKS = 100;
/** Fields of `/proc/<pid>/stat`, counted after the program's name: user and system time, own and of ended children. */
const FIELDS = [11, 12, 13, 14] as const;

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0);
  } catch {
    return 0;
  }
}

/** Seconds of processor time of a process and its descendants so far. Linux only. */
export const processorSecondsOf = (pid: number): number =>
  processTreeOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / TICKS;
