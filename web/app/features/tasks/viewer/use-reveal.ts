import { useEffect, useState } from 'react';

const KEY = 'clearframe:revealed';
/** Pictures that are remembered. */
const MAX_REMEMBERED = 50;

/**
 * Whether this is the first time that a result is shown, which is then revealed. Not on a document of its own, whose
 * pictures are visible before scripts run, and not under reduced motion.
 */
export function useReveal(taskId: string): boolean {
  const [isFirst] = useState(
    () =>
      typeof document !== 'undefined' &&
      // Set once the document is hydrated.
      document.documentElement.dataset.live === 'true' &&
      !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
      !revealedTasks().includes(taskId),
  );
  useEffect(() => remember(taskId), [taskId]);
  return isFirst;
}

/** Used where storage is blocked. */
let inMemory: readonly string[] = [];

function revealedTasks(): readonly string[] {
  try {
    return localStorage.getItem(KEY)?.split(' ') ?? [];
  } catch {
    return inMemory;
  }
}

function remember(taskId: string): void {
  const others = revealedTasks().filter((id) => id !== taskId);
  inMemory = [taskId, ...others].slice(0, MAX_REMEMBERED);
  try {
    localStorage.setItem(KEY, inMemory.join(' '));
  } catch {
    // Remembered until the document ends.
  }
}
