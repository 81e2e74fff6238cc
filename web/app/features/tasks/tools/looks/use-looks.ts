import { useEffect, useState } from 'react';

/** Pictures of looks, by `tool.model`. */
export interface LooksView {
  readonly isPending: boolean;
  readonly urls: Readonly<Record<string, string>>;
}

const NO_LOOKS: LooksView = { isPending: false, urls: {} };

const INTERVAL_MS = 1_000;
/** After this many requests the looks keep their names only. */
const MAX_REQUESTS = 60;

/**
 * This picture in every look, rendered by a job; none without them.
 * @param resultId the newest result: the looks are of its other tools
 */
export function useLooks(taskId: string, resultId: string | null, isEnabled: boolean): LooksView {
  const [looks, setLooks] = useState<LooksView>({ isPending: true, urls: {} });
  useEffect(() => {
    if (!isEnabled || resultId === null) return;
    const stop = new AbortController();
    let timer: number | undefined;
    let requests = 0;
    const request = async (): Promise<void> => {
      requests += 1;
      const answer = await requestLooks(taskId, stop.signal);
      if (stop.signal.aborted) return;
      const isLast = !answer.isPending || requests === MAX_REQUESTS;
      // The pictures of the previous result stay until the new ones are complete.
      setLooks((previous) => (answer.isPending ? { ...previous, isPending: !isLast } : answer));
      if (!isLast) timer = window.setTimeout(() => void request(), INTERVAL_MS);
    };
    void request();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [taskId, resultId, isEnabled]);
  return looks;
}

async function requestLooks(taskId: string, signal: AbortSignal): Promise<LooksView> {
  try {
    const response = await fetch(`/tasks/${taskId}/looks`, { method: 'POST', signal });
    return response.ok ? await response.json() : NO_LOOKS;
  } catch {
    return NO_LOOKS;
  }
}
