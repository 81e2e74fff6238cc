/** The work's result. If it continues for `graceMs` after an abort, throws the signal's reason and ignores the work. */
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
