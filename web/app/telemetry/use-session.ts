import { useEffect } from 'react';

/** A session starts with the first press, key or scroll: a page that is only loaded starts none, and loads no code for it. */
export function useSession(): void {
  useEffect(() => {
    const ended = new AbortController();
    const { search } = window.location;
    const start = (): void => {
      ended.abort();
      void import('./telemetry').then(
        ({ trackActivity }) => trackActivity(search),
        () => undefined,
      );
    };
    for (const type of ['pointerdown', 'keydown', 'scroll'])
      window.addEventListener(type, start, { signal: ended.signal, passive: true });
    return () => ended.abort();
  }, []);
}
