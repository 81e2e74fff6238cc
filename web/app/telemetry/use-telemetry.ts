import { useEffect } from 'react';
import type { ThirdParties } from '../../server/config/settings.ts';

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

/** Loads the scripts of others that are configured, as far as the visitor agreed to them. */
export function useThirdParties(parties: ThirdParties, nonce: string | undefined): void {
  const { tagManagerUrl, consentPlatform, surveyUrl } = parties;
  useEffect(() => {
    if (!tagManagerUrl && !consentPlatform && !surveyUrl) return;
    void import('./start-third-parties').then(
      ({ startThirdParties }) => startThirdParties({ tagManagerUrl, consentPlatform, surveyUrl }, nonce),
      () => undefined,
    );
  }, [tagManagerUrl, consentPlatform, surveyUrl, nonce]);
}
