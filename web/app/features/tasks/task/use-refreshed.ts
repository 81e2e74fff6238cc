import { TIME_LIMITS } from '@clearframe/contract';
import { useCallback, useRef, useState } from 'react';

const TIMEOUT_MS = TIME_LIMITS.call.browser;
/** Longer than the answer to a login takes once it has ended the guest's session. */
const LOGIN_MS = 1_500;

/**
 * A page's view, refetched without a navigation; a newer page replaces it.
 * @param address of the view as JSON
 */
export function useRefreshed<View>(initial: View, address: string) {
  const [shown, setShown] = useState({ initial, view: initial });
  const [isDelayed, setDelayed] = useState(false);
  /** Incremented by newer data of the page: responses to earlier requests are outdated. */
  const version = useRef(0);
  const pending = useRef<{ readonly version: number; readonly view: Promise<View | null> } | null>(null);
  if (shown.initial !== initial) {
    version.current += 1;
    setShown({ initial, view: initial });
  }

  /** @returns the current view, or null when the request fails */
  const refresh = useCallback((): Promise<View | null> => {
    const { current } = version;
    if (pending.current?.version === current) return pending.current.view;
    const view = fetchView<View>(address)
      .then(
        (fresh) => {
          setDelayed(false);
          if (version.current === current) setShown((page) => ({ ...page, view: fresh }));
          return fresh;
        },
        () => {
          setDelayed(true);
          return null;
        },
      )
      .finally(() => {
        if (pending.current?.version === current) pending.current = null;
      });
    pending.current = { version: current, view };
    return view;
  }, [address]);

  return { view: shown.initial === initial ? shown.view : initial, isDelayed, refresh };
}

/** Reloads the page when its subject is deleted or the session has ended: the page explains. Doesn't settle then. */
export async function fetchView<View>(address: string): Promise<View> {
  const get = () => fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  let response = await get();
  if (response.status === 401) {
    // A login ends the guest's session before the member's arrives: a reload would close its modal.
    await new Promise((resolve) => setTimeout(resolve, LOGIN_MS));
    response = await get();
  }
  if (response.status === 404 || response.status === 401) {
    window.location.reload();
    // Another poll would start the reload over: a page that takes longer to load would never appear.
    return new Promise(() => {});
  }
  if (!response.ok) throw new Error(`fetching ${address} failed with status ${response.status}`);
  return (await response.json()) as View;
}
