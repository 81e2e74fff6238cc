import { readFileSync, readlinkSync } from 'node:fs';

/** Ticks since boot. Elsewhere than on Linux, or after its end: null. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces. After it come the state and, 20th, the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

const UNKNOWN_START = '0';

/** Processes of another one, in a container that shares the folder, are not seen from here. */
function ownNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}

const NAMESPACE = ownNamespace();

/**
 * Begins the names of this process's temporary files. The id alone is not enough: a container that is started again often gives
 * it to its next process.
 */
export const OWN_FILES = `${process.pid}.${startOf(process.pid) ?? UNKNOWN_START}.${NAMESPACE}-`;

/** Whether the process still runs whose {@link OWN_FILES} a name begins with, or can't be seen. */
export function hasRunningOwner(name: string): boolean {
  const [, pid, start, namespace] = /^(\d+)\.(\d+)\.(\d*)-/.exec(name) ?? [];
  if (pid === undefined || start === undefined) return false;
  if (namespace !== NAMESPACE) return true;
  return start === UNKNOWN_START ? isRunning(Number(pid)) : startOf(Number(pid)) === start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
