import useSWR, { mutate, type Revalidator, type RevalidatorOptions, type SWRConfiguration } from 'swr';
import { type RequestError, read } from './browser-client';

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
