import { type ProblemView, UNREACHABLE } from '../../http/browser-client';
import { onceOnline, UploadError } from './transfer-store';

/** A request failed without a response. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /** Bytes were sent before the failure. */
  readonly hasProgressed: boolean;

  constructor(hasProgressed = false) {
    super();
    this.hasProgressed = hasProgressed;
  }
}

/** `offline`: the browser has no network; `reconnecting`: it has one, but a request failed. */
export type Interruption = 'offline' | 'reconnecting';

/** Pauses between attempts while the browser is online; offline, it waits for the network. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Repeats `work` after connection errors.
 * @throws ConnectionError when the browser is online and all attempts have failed, other errors of `work`, or the
 * signal's reason
 */
export async function repeatWhenConnected<Result>(
  work: () => Promise<Result>,
  onInterruption: (interruption: Interruption) => void,
  signal: AbortSignal,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (navigator.onLine) {
        if (error.hasProgressed) failures = 0;
        const pause = PAUSES_MS[failures];
        if (pause === undefined) throw error;
        onInterruption('reconnecting');
        await onceOnline(signal, pause);
      } else {
        onInterruption('offline');
        failures = -1;
        await onceOnline(signal);
      }
    }
  }
}

/** Sends JSON. @throws UploadError, ConnectionError, or the signal's reason */
export async function post<Result>(path: string, signal: AbortSignal, body: object): Promise<Result> {
  const response = await fetch(path, {
    method: 'POST',
    signal,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    signal.throwIfAborted();
    throw new ConnectionError();
  });
  let result: { problem?: ProblemView };
  try {
    result = await response.json();
  } catch {
    signal.throwIfAborted();
    throw new UploadError(UNREACHABLE);
  }
  if (result.problem) throw new UploadError(result.problem);
  return result as Result;
}
