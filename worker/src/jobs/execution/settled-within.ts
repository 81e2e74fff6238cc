/**
 * The work's own result, unless it was told to stop and has not done so `graceMs` later: then the signal's reason is
 * thrown, and whatever the work still does is nobody's concern.
 */
export async function settledWithin<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  graceMs: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const abandoned = new Promise<never>((_, reject) => {
    stop = () => {
      timer = setTimeout(() => reject(signal.reason), graceMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
  }
}
