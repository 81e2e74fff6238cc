import { readdirSync, readFileSync } from 'node:fs';

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
};

export function processTreeOf(pid: number): number[] {
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
