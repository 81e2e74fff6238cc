import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Lowers the priority of the session that this process leads, as a service of the launcher does. Linux with autogroups shares
 * processors between sessions first, so that the niceness of a process counts within its session only (`man 7 sched`).
 * Does nothing for a process that shares its session with others, for example a shell's.
 * @param niceness 0 to 19; 5 is a third of the normal weight
 */
export function lowerSessionPriority(niceness: number): void {
  try {
    if (sessionId() === process.pid) writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // Another system, or no autogroups.
  }
}

/** The process's name, in parentheses, may contain anything. The fields after it: state, parent, group, session. */
function sessionId(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}
