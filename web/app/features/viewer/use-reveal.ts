import { type RefObject, useCallback, useEffect, useState } from 'react';

const KEY = 'clearframe:revealed';
const MAX_REMEMBERED = 50;

/** Time in ms for which the original is shown first, and of the wipe (viewer.css) with a margin. */
const HOLD_MS = 400;
const WIPE_MS = 950;

export type Reveal = 'before' | 'wipe' | null;

/**
 * The first time, the original is shown first and then wiped away. Not on a document of its own, whose pictures are
 * visible before scripts run, nor under reduced motion.
 * @param frame contains the pictures
 * @returns the present phase, and a function that ends it
 */
export function useReveal(taskId: string, frame: RefObject<HTMLElement | null>): [Reveal, () => void] {
  const [phase, setPhase] = useState<Reveal>(() => (isFirstView(taskId) ? 'before' : null));
  useEffect(() => remember(taskId), [taskId]);
  useEffect(() => {
    if (phase === null) return;
    let timer: number | undefined;
    const schedule = (next: Reveal, delayMs: number) => {
      timer = window.setTimeout(() => setPhase(next), delayMs);
    };
    if (phase === 'wipe') schedule(null, WIPE_MS);
    else {
      const pictures = [...(frame.current?.querySelectorAll('img') ?? [])];
      void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => schedule('wipe', HOLD_MS));
    }
    return () => window.clearTimeout(timer);
  }, [phase, frame]);
  const end = useCallback(() => setPhase(null), []);
  return [phase, end];
}

const isFirstView = (taskId: string): boolean =>
  typeof document !== 'undefined' &&
  // Set once the document is hydrated.
  document.documentElement.dataset.live === 'true' &&
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
  !revealedTasks().includes(taskId);

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
