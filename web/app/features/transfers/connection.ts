import type { ProblemView } from '../../http/problem';

/** The error shown when the server stays unreachable. */
export const CONNECTION_LOST: ProblemView = { code: 'service.unavailable', requestId: '' };

/** `offline`: the browser has no network; `reconnecting`: it has one, but a request failed. */
export type Interruption = 'offline' | 'reconnecting';

/** Resolves when the network is back, or after a pause. */
export function onceOnline(signal: AbortSignal, pauseMs?: number): Promise<void> {
  const ended = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const options = { signal: ended.signal };
    window.addEventListener('online', () => resolve(), options);
    signal.addEventListener('abort', () => reject(signal.reason), options);
    if (signal.aborted) reject(signal.reason);
    if (pauseMs !== undefined) window.setTimeout(resolve, pauseMs);
  }).finally(() => ended.abort());
}
