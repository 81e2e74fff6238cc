import { useEffect, useState } from 'react';

/** Pictures of looks, by `tool.model`. */
export interface LooksView {
  readonly isPending: boolean;
  readonly urls: Readonly<Record<string, string>>;
}

const NO_LOOKS: LooksView = { isPending: false, urls: {} };

const INTERVAL_MS = 400;
/** Used from the tenth answer on: the queue is long, or the session has ended. */
const LONG_INTERVAL_MS = 2_000;
const SHORT_ANSWERS = 10;
/** Pause after a request without a response. */
const RETRY_MS = 5_000;
/** Number of answers after which the looks keep their names only. */
const MAX_ANSWERS = 40;

/**
 * This picture in every look, rendered by a job.
 * @param resultId the newest result: the looks are of its other tools
 */
export function useLooks(taskId: string, resultId: string | null, isEnabled: boolean): LooksView {
  const [looks, setLooks] = useState<LooksView>({ isPending: true, urls: {} });
  useEffect(() => {
    if (!isEnabled || resultId === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    let timer: number | undefined;
    let answers = 0;
    let isRequesting = false;
    const request = async (): Promise<void> => {
      window.clearTimeout(timer);
      isRequesting = true;
      const answer = await requestLooks(taskId, signal);
      isRequesting = false;
      if (signal.aborted) return;
      if (answer === null) {
        timer = window.setTimeout(() => void request(), RETRY_MS);
        return;
      }
      answers += 1;
      const isLast = !answer.isPending || answers === MAX_ANSWERS;
      // The pictures of the previous result stay until the new ones are complete.
      setLooks((previous) => {
        if (!answer.isPending) return answer;
        return previous.isPending === isLast ? { ...previous, isPending: !isLast } : previous;
      });
      if (isLast) stop.abort();
      else timer = window.setTimeout(() => void request(), answers < SHORT_ANSWERS ? INTERVAL_MS : LONG_INTERVAL_MS);
    };
    window.addEventListener('online', () => !isRequesting && void request(), { signal });
    void request();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [taskId, resultId, isEnabled]);
  // Looks show the newest result that isn't a preview.
  return resultId === null ? NO_LOOKS : looks;
}

/** Null while the server is overloaded, too: a later request may succeed. */
async function requestLooks(taskId: string, signal: AbortSignal): Promise<LooksView | null> {
  try {
    const response = await fetch(`/tasks/${taskId}/looks`, { method: 'POST', signal });
    if (response.ok) return await response.json();
    return response.status >= 500 || response.status === 429 ? null : NO_LOOKS;
  } catch {
    return null;
  }
}
