import { useCallback, useRef, useState } from 'react';
import { RequestError, send } from '../../http/browser-client';
import { useData } from '../../http/use-data';

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

/**
 * This picture in every look, rendered by a job; asked for until it is complete.
 * @param resultId the newest result: the looks are of its other tools
 */
export function useLooks(taskId: string, resultId: string | null, isEnabled: boolean): LooksView {
  const [complete, setComplete] = useState<LooksView | null>(null);
  const answers = useRef({ resultId, count: 0 });
  if (answers.current.resultId !== resultId) answers.current = { resultId, count: 0 };
  const pauseMs = useCallback((latest?: LooksView) => {
    if (latest && !latest.isPending) return 0;
    return answers.current.count < SHORT_ANSWERS ? INTERVAL_MS : LONG_INTERVAL_MS;
  }, []);
  const { data } = useData<LooksView>(isEnabled && resultId !== null ? [`/tasks/${taskId}/looks`, resultId] : null, {
    request: orderLooks,
    refreshInterval: pauseMs,
    dedupingInterval: 0,
    // Complete ones don't change.
    revalidateOnFocus: false,
    onSuccess: () => {
      answers.current.count += 1;
    },
  });
  if (data && !data.isPending && data !== complete) setComplete(data);
  // Looks show the newest result that isn't a preview.
  if (resultId === null) return NO_LOOKS;
  // The pictures of the previous result stay until the new ones are complete.
  return { isPending: data ? data.isPending : complete === null, urls: complete?.urls ?? {} };
}

async function orderLooks(address: string): Promise<LooksView> {
  const { body, problem } = await send<LooksView>(address, {});
  if (problem) throw new RequestError(address, problem, null);
  return body;
}
