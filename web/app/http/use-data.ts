import { useCallback, useMemo, useRef, useState } from 'react';
import useSWR, { mutate, type Revalidator, type RevalidatorOptions, type SWRConfiguration } from 'swr';
import { RequestError, read, reloadPage } from './browser-client';

/** Spec 2, section 7. */
const CACHE = {
  dedupingInterval: 2_000,
  focusThrottleInterval: 5_000,
  errorRetryInterval: 5_000,
  // The library's own pauses grow to minutes.
  onErrorRetry(
    _error: unknown,
    _key: string,
    { errorRetryInterval }: Readonly<{ errorRetryInterval: number }>,
    revalidate: Revalidator,
    attempt: Required<RevalidatorOptions>,
  ) {
    setTimeout(() => void revalidate(attempt), errorRetryInterval);
  },
} as const;

/** Null: nothing is requested. The parts after an address distinguish its versions. */
type Key = string | readonly [address: string, ...version: readonly unknown[]] | null;

type Options<Data> = SWRConfiguration<Data, RequestError> & {
  /** Default: JSON by GET. */
  readonly request?: (address: string) => Promise<Data>;
};

/** Data of an address, cached and revalidated. Polled with `refreshInterval` while the page is visible and online. */
export const useData = <Data>(
  key: Key,
  { request = (address) => read<Data>(address), ...options }: Options<Data> = {},
) =>
  useSWR<Data, RequestError>(
    key,
    (requested: string | readonly [string]) => request(typeof requested === 'string' ? requested : requested[0]),
    { ...CACHE, ...options },
  );

/** After a login or logout, which changes what every address answers. */
export const forgetData = (): Promise<unknown> => mutate(() => true, undefined);

/** Spec 2, section 9. */
const INTERVAL_MS = 2_000;
/** First pauses for work that usually takes a second. */
const SHORT_INTERVAL_MS = 400;
const SHORT_POLLS = 5;

/** Pause after this many polls of work that usually takes a second. */
export const shortPollMs = (polls: number): number => (polls < SHORT_POLLS ? SHORT_INTERVAL_MS : INTERVAL_MS);

let versions = 0;

/** Reads what a page shows. Reloads the page once it is deleted. */
export async function readShown<View>(address: string): Promise<View> {
  try {
    return await read<View>(address, true);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return reloadPage();
    throw error;
  }
}

export interface PolledOptions<View, Body = View> {
  readonly isChanging: (view: View) => boolean;
  /** What it waits for usually takes a second. */
  readonly isShort?: boolean;
  /** Makes the view from another body. */
  readonly viewOf?: (body: Body) => View;
}

/**
 * A page's view, polled while it changes and refreshed on return to the page; newer data of the page replaces it.
 * @param address of the view as JSON; null: there is none
 */
export function usePolled<View, Body = View>(
  initial: View,
  address: string | null,
  { isChanging, isShort = false, viewOf }: PolledOptions<View, Body>,
) {
  // Each data of the page has its own entry in the cache: responses to earlier requests are outdated.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new number for new data
  const version = useMemo(() => {
    versions += 1;
    return versions;
  }, [initial]);
  const [isPolling, setPolling] = useState(() => isChanging(initial));
  const outcome = useRef<View | null>(null);
  const polls = useRef(0);
  const request = async (requested: string): Promise<View> => {
    const body = await readShown<Body>(requested);
    const view = viewOf ? viewOf(body) : (body as unknown as View);
    outcome.current = view;
    polls.current += 1;
    return view;
  };
  const pauseMs = isShort ? shortPollMs(polls.current) : INTERVAL_MS;
  const { data, error, mutate } = useData<View>(address === null ? null : [address, version], {
    request,
    fallbackData: initial,
    revalidateOnMount: false,
    refreshInterval: isPolling ? pauseMs : 0,
    // Every poll is a request.
    ...(isShort && { dedupingInterval: 0 }),
  });
  const view = data ?? initial;
  const goesOn = isChanging(view);
  if (goesOn !== isPolling) setPolling(goesOn);

  /** @returns the current view, or null when the request fails */
  const refresh = useCallback(async (): Promise<View | null> => {
    outcome.current = null;
    await mutate();
    return outcome.current;
  }, [mutate]);
  return { view, isDelayed: error !== undefined, refresh };
}
