import { readdirSync, readFileSync } from 'node:fs';

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
};

/** A process and all its descendants. Linux only, as the benchmarks are. */
export function familyOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const family = new Set([pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const candidate of all) {
      if (family.has(candidate) || !family.has(parentOf(candidate))) continue;
      family.add(candidate);
      grown = true;
    }
  }
  return [...family];
}

/** Peak resident memory of a process in bytes, as the kernel has kept it. */
export function peakMemoryOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}
